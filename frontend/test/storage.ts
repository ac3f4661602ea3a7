/** The little of a browser that modules touch when they are loaded. */
class Shelf {
  private readonly kept = new Map<string, string>();
  getItem = (key: string): string | null => this.kept.get(key) ?? null;
  setItem = (key: string, value: string): void => void this.kept.set(key, value);
  removeItem = (key: string): void => void this.kept.delete(key);
}

Object.assign(globalThis, {
  localStorage: new Shelf(),
  sessionStorage: new Shelf(),
  addEventListener: () => undefined,
  location: { hash: '', href: 'http://localhost/' },
});
