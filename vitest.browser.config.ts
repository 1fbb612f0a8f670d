import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// The dashboard in a real Chromium (Debian's, or the one that CHROMIUM names) against a running server.
export default defineConfig({
  ...base,
  test: {
    include: ['apps/*/test/**/*.browser.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
})
