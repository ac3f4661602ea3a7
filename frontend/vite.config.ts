import { defineConfig } from 'vite';

// The page's server decides where the API is; in development it is another process.
const server = process.env['STEM_BRANCH_API'] ?? 'http://127.0.0.1:8000';

export default defineConfig({
  server: { proxy: { '/api': server } },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { include: ['test/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
