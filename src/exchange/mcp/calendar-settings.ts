// Which calendar assistants speak to, and as whom.

/** As the environment sets them; undefined if unset. */
interface CalendarVariables {
  readonly url: string | undefined;
  readonly token: string | undefined;
}

export interface CalendarSettings {
  /** The address of the API, without a slash at its end. */
  readonly root: string;
  /** An application token: all rights are those of its user. Null: the public. Never show it. */
  readonly token: string | null;
}

const API_PATH = '/calendar/events/v1';
/** What a header can carry. */
const TOKEN = /^[\x21-\x7e]+$/;

/** `own`: the address of this installation. `refuse` gets a sentence about what is invalid, and throws. */
export function calendarFrom(
  { url, token }: CalendarVariables,
  own: string,
  refuse: (why: string) => never,
): CalendarSettings {
  const address = url ?? own;
  const parsed = URL.canParse(address) ? new URL(address) : null;
  const isUsable =
    parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username === '' && parsed.search === '';
  if (!isUsable) return refuse('DAYBOOK_URL must be an https or http address without a password or a query.');
  if (token !== undefined && !TOKEN.test(token))
    return refuse('DAYBOOK_TOKEN must be an application token, as `daybook users add` shows it.');
  const site = address.replace(/\/+$/, '');
  return { root: site.endsWith(API_PATH) ? site : site + API_PATH, token: token ?? null };
}
