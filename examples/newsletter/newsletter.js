// A newsletter that says what has changed: `DAYBOOK_TOKEN=1-2-… node examples/newsletter/newsletter.js http://127.0.0.1:8080`, with the token of
// a user who may follow changes. It prints a line for each event that is published, moved or canceled; send it where readers are.
import { openDaybook } from '../../clients/javascript/client.js';

/** What readers want to hear of, in the words of the feed. */
const NEWS = ['EventPublished', 'EventRescheduled', 'EventCanceled', 'EventPostponed'];

/**
 * Says each piece of news, from `after` on, until `signal` is aborted.
 * @param {{ readonly origin: string, readonly token: string, readonly after?: string, readonly signal?: AbortSignal }} options
 * @param {(line: string, after: string) => void} say With where to go on after this line.
 */
export async function tellNews({ origin, token, after = 'end', signal }, say) {
  const daybook = openDaybook({ url: `${origin}/calendar/events/v1`, token });
  for await (const news of daybook.changes({ types: NEWS, after }, { signal })) {
    const { kind, id, summary } = news.change;
    if (kind !== 'event') continue;
    const { value: event } = await daybook.getEventsById({ id });
    say(`${event.title} (${event.start_date}): ${summary} ${event.url}`, news.after);
  }
}

if (process.argv[1] === import.meta.filename) {
  const [origin = 'http://127.0.0.1:8080'] = process.argv.slice(2);
  const { DAYBOOK_TOKEN: token } = process.env;
  if (token === undefined) throw new Error('Set DAYBOOK_TOKEN to the token of a user who may follow changes.');
  await tellNews({ origin, token }, (line) => console.log(line));
}
