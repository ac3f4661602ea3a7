import './storage';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { fill, has, setLanguage, t, tCount } from '../src/i18n';
import { en } from '../src/i18n/en';
import { vi } from '../src/i18n/vi';

const CATALOGUES = { en, vi };

const SOURCE = join(import.meta.dirname, '../src');
const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name));
const placeholders = (message: string): string[] => [...message.matchAll(/\{(\w+)\}/g)].map((found) => found[1]!).sort();
const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label']);
const LETTERS = /\p{L}{2,}/u;

describe('the message catalogues', () => {
  it.each(Object.keys(CATALOGUES))('%s has every message, with the same placeholders', (language) => {
    const messages = CATALOGUES[language as 'en' | 'vi'] as Record<string, string>;
    expect(Object.keys(messages).sort()).toEqual(Object.keys(en).sort());
    for (const [key, message] of Object.entries(messages)) {
      expect(message.trim(), key).not.toBe('');
      expect(new Set(placeholders(message)), key).toEqual(new Set(placeholders(en[key as keyof typeof en])));
    }
  });

  it('are not copies of each other', () => {
    const same = Object.entries(CATALOGUES.vi).filter(([key, message]) => message === en[key as keyof typeof en] && LETTERS.test(message.replace(/\{\w+\}/g, '')));
    expect(same.map(([key]) => key)).toEqual(['app.title']);
  });

  it('hold no message that nothing uses', () => {
    const all = files.filter((name) => !name.startsWith('i18n/en') && !name.startsWith('i18n/vi')).map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\n');
    const built = [...all.matchAll(/[`']([\w-]+(?:\.[\w-]+)*\.)\$\{/g)].map((found) => found[1]!);
    const counted = [...all.matchAll(/tCount\((?:\w+ \? )?'([\w.]+)'/g)].map((found) => found[1]!);
    const unused = Object.keys(en).filter(
      (key) => !all.includes(`'${key}'`) && !built.some((stem) => key.startsWith(stem)) && !counted.includes(key.replace(/\.(one|other)$/, '')),
    );
    expect(unused).toEqual([]);
  });

  it('hold all the text that the page shows', () => {
    const literal: string[] = [];
    for (const name of files.filter((file) => file.endsWith('.tsx'))) {
      const source = ts.createSourceFile(name, readFileSync(join(SOURCE, name), 'utf8'), ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
      const visit = (node: ts.Node): void => {
        if (ts.isJsxText(node) && LETTERS.test(node.text)) literal.push(`${name}: ${node.text.trim()}`);
        if (ts.isJsxAttribute(node) && SPOKEN.has(node.name.getText()) && node.initializer && ts.isStringLiteral(node.initializer)) {
          literal.push(`${name}: ${node.name.getText()}=${node.initializer.text}`);
        }
        if (ts.isJsxExpression(node) && node.expression && ts.isStringLiteral(node.expression) && ts.isJsxElement(node.parent) && LETTERS.test(node.expression.text)) {
          literal.push(`${name}: ${node.expression.text}`);
        }
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    expect(literal).toEqual([]);
  });
});

describe('formatting', () => {
  it('fills in what it is given and leaves the rest', () => {
    expect(fill('{a} of {b}', { a: 1 })).toBe('1 of {b}');
    expect(fill('{name}', { name: '$& {x}' })).toBe('$& {x}');
  });

  it('counts in English and in Vietnamese', async () => {
    await setLanguage('en');
    expect([tCount('table.plus', 1), tCount('table.plus', 3)]).toEqual(['+1 year', '+3 years']);
    await setLanguage('vi');
    expect([tCount('table.plus', 1), tCount('table.plus', 3)]).toEqual(['+1 năm', '+3 năm']);
    expect(t('element.water')).toBe('Thủy');
    await setLanguage('en');
  });

  it('knows which codes of the server it can word', () => {
    expect(has('error.rank-not-higher')).toBe(true);
    expect(has('error.no-such-code')).toBe(false);
  });
});
