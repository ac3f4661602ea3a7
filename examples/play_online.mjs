// Takes a seat by HTTP and plays it to the end: node play_online.mjs http://127.0.0.1:8000 GAME TOKEN
const [server, gameId, token] = process.argv.slice(2);
const url = `${server}/api/v1/games/${gameId}`;
const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

async function ask(path, options = {}) {
  const answer = await fetch(url + path, { ...options, headers: { ...headers, ...options.headers } });
  if (answer.status >= 400) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer;
}

let etag = '';
for (;;) {
  // Answers at once if the game has changed since `etag`, else after at most 20 seconds.
  const answer = await ask('?wait=20', { headers: { 'If-None-Match': etag } });
  if (answer.status === 304) continue;
  const game = await answer.json();
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
  const { actions } = await (await ask('/legal-actions')).json();
  const action = actions[Math.floor(Math.random() * actions.length)];
  await ask('/actions', { method: 'POST', body: JSON.stringify({ expected_version: game.version, action }) });
}
