// The EventStoreDB of the tests in a process of its own, so that its processor time is not counted as that of others. It
// tells its connection string, and goes on until it is stopped.
import { startEventStoreDb } from '../support/eventstoredb-server.ts';

const { connectionString } = await startEventStoreDb();
process.stdout.write(`listening at ${connectionString}\n`);
process.once('SIGINT', () => process.exit());
