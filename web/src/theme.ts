import { createStore, useStore } from './store.ts'

export type Theme = 'light' | 'dark'

const KEY = 'astrolabe-theme'
const system = matchMedia('(prefers-color-scheme: dark)')

const chosen = (): Theme | undefined => {
  const { theme } = document.documentElement.dataset
  return theme === 'light' || theme === 'dark' ? theme : undefined
}

const theme = createStore<Theme>(chosen() ?? (system.matches ? 'dark' : 'light'))
system.addEventListener('change', () => theme.set(chosen() ?? (system.matches ? 'dark' : 'light')))

export const useTheme = (): Theme => useStore(theme, (value) => value)

export function chooseTheme(next: Theme): void {
  document.documentElement.dataset.theme = next
  theme.set(next)
  try {
    localStorage.setItem(KEY, next)
  } catch {
    // Not kept then; it holds until the page is left.
  }
}
