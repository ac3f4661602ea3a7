import type { BoardInfo } from '../api/types';

/** A board in small: its spaces and vines. */
export function BoardPicture({ board }: { board: BoardInfo }) {
  const at = (space: number) => ({ x: 8 + board.spaces[space]!.x * 104, y: 6 + board.spaces[space]!.y * 68 });
  return (
    <svg class="board-picture" viewBox="0 0 120 80" aria-hidden="true">
      <rect class="scroll" x="1" y="1" width="118" height="78" rx="8" />
      {board.vines.map(([from, to]) => {
        const [a, b] = [at(from!), at(to!)];
        return <path key={`${from}-${to}`} class="vine-stem" d={`M${a.x} ${a.y}L${b.x} ${b.y}`} />;
      })}
      {board.spaces.map((space) => {
        const { x, y } = at(space.space);
        return <rect key={space.space} class="space-empty" x={x - 5} y={y - 6} width="10" height="12" rx="2" />;
      })}
    </svg>
  );
}
