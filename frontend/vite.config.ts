import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { defineConfig, type Plugin } from 'vite';

// The page's server decides where the API is; in development it is another process.
const server = process.env['STEM_BRANCH_API'] ?? 'http://127.0.0.1:8000';

async function messagesOf(language: string): Promise<Record<string, string>> {
  const source = readFileSync(new URL(`src/i18n/${language}.ts`, import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  return ((await import(`data:text/javascript,${encodeURIComponent(outputText)}`)) as Record<string, Record<string, string>>)[language]!;
}

/** The languages of the built page share the names of their messages: each holds its values alone. */
const sharedKeys: Plugin = {
  name: 'messages share their keys',
  apply: 'build',
  resolveId: (id) => (id === 'message-keys' ? id : null),
  async load(id) {
    const language = /\/i18n\/(en|vi)\.ts$/.exec(id)?.[1];
    if (!language && id !== 'message-keys') return null;
    const keys = Object.keys(await messagesOf('en'));
    if (!language) return `const keys = ${JSON.stringify(keys.join(' '))}.split(' '); export const keyed = (values) => Object.fromEntries(keys.map((key, at) => [key, values[at]]));`;
    const messages = await messagesOf(language);
    return `import { keyed } from 'message-keys'; export const ${language} = /* @__PURE__ */ keyed(${JSON.stringify(keys.map((key) => messages[key]))});`;
  },
};

export default defineConfig({
  plugins: [sharedKeys],
  server: { proxy: { '/api': server } },
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  test: { include: ['test/**/*.test.ts'] },
} as Parameters<typeof defineConfig>[0]);
