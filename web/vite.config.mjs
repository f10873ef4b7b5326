import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Pages lie at any depth, files at the root.
  base: '/',
  publicDir: 'public',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../build/page', import.meta.url)),
    emptyOutDir: true,
    // The public page, and the operator's view, which only the operator's API serves.
    rolldownOptions: {
      input: ['index.html', 'operator.html'].map((name) => fileURLToPath(new URL(name, import.meta.url))),
    },
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
