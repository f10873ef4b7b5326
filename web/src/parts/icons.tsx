import type { ComponentChildren } from 'preact'

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="16" height="16" aria-hidden="true" focusable="false">
      {children}
    </svg>
  )
}

export const CopyIcon = () => (
  <Icon>
    <rect x="7" y="7" width="9" height="9" rx="2" />
    <path d="M13 4H6a2 2 0 0 0-2 2v7" />
  </Icon>
)

export const CheckIcon = () => (
  <Icon>
    <path d="m4 10.5 4 4 8-9" />
  </Icon>
)

export const SearchIcon = () => (
  <Icon>
    <circle cx="9" cy="9" r="5" />
    <path d="m13 13 4 4" />
  </Icon>
)

export const SunIcon = () => (
  <Icon>
    <circle cx="10" cy="10" r="3.5" />
    <path d="M10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.5 1.5M14.2 14.2l1.5 1.5M4.3 15.7l1.5-1.5M14.2 5.8l1.5-1.5" />
  </Icon>
)

export const MoonIcon = () => (
  <Icon>
    <path d="M16.5 12.5A7 7 0 0 1 7.5 3.5a7 7 0 1 0 9 9Z" />
  </Icon>
)

export const DownIcon = () => (
  <Icon>
    <path d="m5 8 5 5 5-5" />
  </Icon>
)

export const LeftIcon = () => (
  <Icon>
    <path d="m12 5-5 5 5 5" />
  </Icon>
)

export const RightIcon = () => (
  <Icon>
    <path d="m8 5 5 5-5 5" />
  </Icon>
)

export const OutIcon = () => (
  <Icon>
    <path d="M11 4h5v5M16 4l-7 7M14 11v4a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h4" />
  </Icon>
)

/** Rings and a rule: the instrument that the project is named after. */
export const Logo = () => (
  <svg class="logo" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
    <circle cx="16" cy="16" r="13" />
    <circle cx="16" cy="19" r="7" />
    <path d="M16 16 25 7M16 16 7 25" />
    <circle class="logo-pin" cx="16" cy="16" r="2.4" />
  </svg>
)
