// Writes src/art/animals.ts: the twelve animals of the icon set and nothing else of it, to whole units of 512.
import { readFileSync, writeFileSync } from 'node:fs';
import { optimize } from 'svgo';

const chosen = {
  mouse: 'mouse', buffalo: 'buffalo-head', tiger: 'tiger-head', cat: 'cat', dragon: 'dragon-head', snake: 'snake',
  horse: 'horse-head', goat: 'goat', monkey: 'monkey', rooster: 'rooster', dog: 'sitting-dog', pig: 'pig',
};
const set = JSON.parse(readFileSync(new URL('../node_modules/@iconify-json/game-icons/icons.json', import.meta.url), 'utf8'));
const lines = Object.entries(chosen).map(([animal, icon]) => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">${set.icons[icon].body}</svg>`;
  const { data } = optimize(svg, { plugins: [{ name: 'convertPathData', params: { floatPrecision: 0 } }] });
  return `  ${animal}: ${JSON.stringify([...data.matchAll(/ d="([^"]+)"/g)].map((found) => found[1]).join(' '))},`;
});
writeFileSync(
  new URL('../src/art/animals.ts', import.meta.url),
  `// Made by scripts/icons.mjs from @iconify-json/game-icons (game-icons.net contributors, CC BY 3.0).\n` +
  `export const ANIMAL_PATHS = {\n${lines.join('\n')}\n} as const;\n`,
);
