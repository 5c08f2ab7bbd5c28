// A calendar elsewhere that says what a test tells it to.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Elsewhere {
  readonly server: Server;
  readonly address: string;
  /** A test sets it. */
  answer: (request: IncomingMessage, response: ServerResponse) => void;
}

export interface Told {
  readonly uid: string;
  readonly title: string;
  readonly day: string;
  /** Null: it has none. */
  readonly place?: string | null;
  readonly more?: readonly string[];
}

export const calendarOf = (events: readonly Told[]): string =>
  [
    ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:test'],
    ...events.flatMap(({ uid, title, day, place = 'Town hall', more = [] }) => [
      ...['BEGIN:VEVENT', `UID:${uid}`, 'DTSTAMP:20270101T000000Z', `SUMMARY:${title}`, `DTSTART:${day}T100000Z`],
      ...[`DTEND:${day}T120000Z`, ...(place === null ? [] : [`LOCATION:${place}`]), ...more, 'END:VEVENT'],
    ]),
    ...['END:VCALENDAR', ''],
  ].join('\r\n');

export const days = (count: number, of = 'event'): Told[] =>
  Array.from({ length: count }, (_, index) => ({
    uid: `${of}-${index}@example`,
    title: `${of} ${index}`,
    day: `202708${String(index + 1).padStart(2, '0')}`,
  }));

/** Far ahead, without a place. */
export const titled = (...titles: readonly string[]): Told[] =>
  titles.map((title) => ({ uid: `${title}@example`, title, day: '20400801', place: null }));

export const telling =
  (events: readonly Told[]): Elsewhere['answer'] =>
  (_request, response) =>
    void response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendarOf(events));

export async function startElsewhere(): Promise<Elsewhere> {
  const server = createServer((request, response) => elsewhere.answer(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  // It listens at a port.
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const elsewhere: Elsewhere = { server, address, answer: telling([]) };
  return elsewhere;
}
