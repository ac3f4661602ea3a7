// Takes a seat by HTTP and plays it to the end: node play_online.mjs http://127.0.0.1:8000 GAME TOKEN
const [server, gameId, token] = process.argv.slice(2);
const url = `${server}/api/v1/games/${gameId}`;
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

// Asks until there is an answer: a server may be started anew in the middle of a game.
async function ask(path, options = {}) {
  for (;;) {
    try {
      const answer = await fetch(url + path, { ...options, headers: { ...headers, ...options.headers } });
      const body = await answer.text();
      if (![429, 503].includes(answer.status)) return { status: answer.status, headers: answer.headers, body };
    } catch (problem) {
      console.log('No answer:', problem.message);
    }
    await new Promise((resolve) => setTimeout(resolve, 1000));
  }
}

function read({ status, body }) {
  if (status >= 400) throw new Error(`${status} ${body}`);
  return JSON.parse(body);
}

let etag = '';
for (;;) {
  // Answers at once if the game has changed since `etag`, else after at most 20 seconds.
  const answer = await ask('?wait=20', { headers: { 'If-None-Match': etag } });
  if (answer.status === 304) continue;
  const game = read(answer);
  etag = answer.headers.get('ETag');
  if (game.over) {
    console.log(JSON.stringify(game.result));
    break;
  }
  if (game.seat_to_act !== game.viewer) continue;
  if (game.absent_at) {
    // Else there is no hurry.
    console.log('Seconds left:', (Date.parse(game.absent_at) - Date.parse(answer.headers.get('Date'))) / 1000);
  }
  const { actions } = read(await ask('/legal-actions'));
  const action = actions[Math.floor(Math.random() * actions.length)];
  const body = JSON.stringify({ expected_version: game.version, action });
  // With a key of its own, an action that is sent again is not played twice.
  const played = await ask('/actions', { method: 'POST', body, headers: { 'Idempotency-Key': crypto.randomUUID() } });
  if (played.status !== 409) read(played); // 409: the game has changed meanwhile, and is read again
}
