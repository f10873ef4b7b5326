/** Secrets of keys in tests, apart from what needs all of the API. */
export const PEPPER = 'a pepper that is only used in tests'
export const SECRETS = { environment: 'live', pepper: PEPPER }
