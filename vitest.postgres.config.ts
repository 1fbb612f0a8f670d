import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// The store of runs in a real PostgreSQL (Debian's package), started in a folder of its own.
export default defineConfig({
  ...base,
  test: {
    include: ['apps/*/test/**/*.postgres.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
