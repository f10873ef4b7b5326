// What a start needs: the compiled program and its page. `npm run build` makes the typed client too.
await import('./build-code.mjs')
await import('./build-page.mjs')
