// What is wrong with the table as it is laid out now, one sentence for each fault.
() => {
  const faults = [];
  const name = (node) => node.tagName.toLowerCase() + (node.getAttribute('class') ? '.' + node.getAttribute('class').trim().split(/\s+/).join('.') : '')
    + ' ' + (node.getAttribute('aria-label') ?? node.textContent ?? '').trim().slice(0, 30);
  const shown = (node) => node.checkVisibility() && !node.closest('.sr-only, .skip') && getComputedStyle(node).opacity !== '0';
  const all = (selector) => [...document.querySelectorAll(selector)].filter(shown);
  const box = (node) => node.getBoundingClientRect();
  const size = [innerWidth, innerHeight];
  const page = document.documentElement;
  if (page.scrollWidth > size[0]) faults.push(`the page scrolls sideways: ${page.scrollWidth}`);
  if (page.scrollHeight > size[1]) faults.push(`the page scrolls: ${page.scrollHeight}`);

  const regions = all('.player, .ascent, .banner, .board, .stream, .hand, .action, .whose, .menu-button, .last-round, .top nav a, .theme, .languages');
  const parts = [...regions, ...all('.in-hand, .place, .action .button, .space-button, .side .log')];
  for (const part of parts) {
    const { left, top, right, bottom } = box(part);
    if (left < -0.5 || top < -0.5 || right > size[0] + 0.5 || bottom > size[1] + 0.5) faults.push(`outside the screen: ${name(part)}`);
  }
  const overlap = (a, b) => {
    const [one, other] = [box(a), box(b)];
    const wide = Math.min(one.right, other.right) - Math.max(one.left, other.left);
    const tall = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
    return wide > 1 && tall > 1;
  };
  const apart = (nodes) => nodes.forEach((a, at) => nodes.slice(at + 1).forEach((b) => {
    if (overlap(a, b) && !a.contains(b) && !b.contains(a)) faults.push(`overlapping: ${name(a)} and ${name(b)}`);
  }));
  apart(regions);
  apart(all('.space-button'));
  apart([...all('.place'), ...all('.in-hand').slice(0, 1), ...all('.action .button, .stream .link, .pay-token, .action .pick')]);

  for (const node of all('.top *, .table *')) {
    const style = getComputedStyle(node);
    if (node.closest('svg, .log, select') || style.overflow === 'visible') continue;
    const cut = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    // A long name may end in dots where the whole of it is a hover away.
    if (cut && !(style.textOverflow === 'ellipsis' && node.title)) faults.push(`cut off: ${name(node)}`);
  }
  for (const label of all('.face text')) {
    const [text, card] = [box(label), box(label.closest('.face').querySelector('.face-paper'))];
    if (text.left < card.left || text.right > card.right) faults.push(`wider than its card: ${name(label)}`);
  }
  for (const button of all('.at-game button, .at-game summary, .at-game a, .at-game select')) {
    if (button.disabled || button.closest('.in-hand')) continue;
    const { width, height } = box(button);
    if (Math.min(width, height) < 39.5) faults.push(`small to hit: ${name(button)} ${width.toFixed(0)} × ${height.toFixed(0)}`);
  }
  const hand = all('.in-hand').map(box);
  hand.slice(1).forEach((card, at) => {
    if (card.left - hand[at].left < 39.5) faults.push(`cards of the hand ${(card.left - hand[at].left).toFixed(0)} px apart`);
  });
  return [...new Set(faults)];
}
