// What the tests of `daybook restore` begin with: a log, exported into a file.
import path from 'node:path';
import { suite, type Test } from 'uvu';
import { type EventStoreDbServer, startEventStoreDb } from '../../support/eventstoredb-server.ts';
import { openRoom, type Room, type Site } from '../../unit/export/log-room.ts';
import { fixture } from '../../unit/import/desk.ts';

export interface RestoreContext {
  room: Room;
  server: EventStoreDbServer;
  source: Site;
  file: string;
}

export function restoreSuite(name: string): Test<RestoreContext> {
  const test = suite<RestoreContext>(name);
  test.before.each(async (context) => {
    context.room = openRoom();
    context.server = await startEventStoreDb();
    context.source = context.room.site('source');
    await context.source.import(fixture('events.json'));
    context.file = path.join(context.room.folder, 'log');
    await context.source.export('--log', '--out', context.file);
  });
  test.after.each(async ({ room, server }) => {
    await server.stop();
    await room.close();
  });
  return test;
}

export const onServer = ({ room, server }: Pick<RestoreContext, 'room' | 'server'>, name = 'server'): Site =>
  room.site(name, { DAYBOOK_EVENT_STORE: server.connectionString });
