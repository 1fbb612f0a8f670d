import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// Packages resolve to their sources; addresses are relative, so that the build can be hosted under any path.
export default defineConfig({
  base: './',
  plugins: [react()],
  resolve: { conditions: ['@windtunnel/source', 'module', 'browser', 'import', 'default'] },
  worker: { format: 'es' },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    reportCompressedSize: true,
  },
  preview: { proxy: {} },
  server: { host: '127.0.0.1', proxy: { '/api': { target: 'http://127.0.0.1:4173', ws: true } } },
})
