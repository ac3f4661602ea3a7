/** Whether whoever uses the page last pressed a key, and not a pointer. */
export const byKeyboard = { current: false };

addEventListener('keydown', () => (byKeyboard.current = true), true);
addEventListener('pointerdown', () => (byKeyboard.current = false), true);
