import { defineConfig } from 'vitest/config'
import base from './vitest.config.ts'

// The suite over measured data and real traces, found through WINDTUNNEL_DATA (default ../shared).
export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ['packages/*/test/**/*.shared.test.ts', 'apps/*/test/**/*.shared.test.ts', 'test/**/*.shared.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**'],
    testTimeout: 300_000,
  },
})
