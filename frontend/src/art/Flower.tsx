/** The spirit flowers that mark the seats on the year track; each seat's differs in form as well as in colour. */
const PETALS = [5, 6, 4, 8];

export function FlowerMark({ seat, x = 0, y = 0, size }: { seat: number; x?: number; y?: number; size: number }) {
  const petals = PETALS[seat % PETALS.length]!;
  const width = petals === 8 ? 0.28 : petals === 4 ? 0.52 : 0.4;
  return (
    <g class={`flower flower-${seat % 4}`} style={{ transform: `translate(${x}px, ${y}px)` }}>
      {Array.from({ length: petals }, (_, at) => (
        <ellipse key={at} rx={size * width} ry={size * 0.5} cy={-size * 0.52} transform={`rotate(${(at * 360) / petals})`} />
      ))}
      <circle r={size * 0.3} />
    </g>
  );
}

export function Flower({ seat, tip }: { seat: number; tip?: string }) {
  return (
    <svg class="icon flower-icon" viewBox="-12 -12 24 24" aria-hidden="true" data-tip={tip}>
      <FlowerMark seat={seat} size={11} />
    </svg>
  );
}
