import { defineConfig } from 'vitest/config'

// Tests run on sources: the condition makes every @windtunnel import resolve to src.
export default defineConfig({
  resolve: { conditions: ['@windtunnel/source', 'module', 'node', 'import', 'default'] },
  ssr: { resolve: { conditions: ['@windtunnel/source', 'module', 'node', 'import', 'default'] } },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: [
      '**/node_modules/**',
      '**/dist/**',
      '**/*.shared.test.ts',
      '**/*.browser.test.ts',
      '**/*.postgres.test.ts',
    ],
    testTimeout: 30_000,
  },
})
