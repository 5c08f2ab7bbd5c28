// The thread of checkpoint.ts.
import { workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const db = new Database(workerData, { fileMustExist: true });
db.pragma('wal_checkpoint(PASSIVE)');
db.close();
