/**
 * Floats of series (docs/rules.md R18): shortest form, with an exponent from a million up and below a ten-thousandth.
 * `1500000` is `1.5E+06`, `0.00002` is `2E-05`.
 */
export function formatFloat(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return '0'
  const [digits, exponentText] = value.toExponential().split('e') as [string, string]
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 6) return `${digits}E${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
  return String(value)
}
