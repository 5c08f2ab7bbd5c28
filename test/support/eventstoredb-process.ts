// `node test/support/eventstoredb-process.ts PORT FILE`: the EventStoreDB of the tests as a process of its own, which can be
// killed: its log is in the file, and what it has acknowledged is there when it is started again.
import { startEventStoreDb } from './eventstoredb-server.ts';

const [port, file] = process.argv.slice(2);
if (port === undefined || file === undefined) throw new Error('usage: eventstoredb-process.ts PORT FILE');
const { connectionString } = await startEventStoreDb({ port: Number(port), file });
process.stdout.write(`${connectionString}\n`);
