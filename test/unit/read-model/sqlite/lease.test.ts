// The lease of processes that share a read model in a file.
import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fileLease } from '../../../../src/read-model/sqlite/lease.ts';
import { temporaryFolder } from '../../../support/service.ts';

test('one holds it, for as long as it likes; after its release another one does', async () => {
  const { folder, remove } = temporaryFolder();
  try {
    const [one, other, third] = ['webhooks', 'webhooks', 'else'].map((duty) =>
      fileLease(path.join(folder, 'views.db'), duty),
    );
    assert.ok(await one?.hold());
    assert.not(await other?.hold());
    assert.ok(await one?.hold(), 'again');
    assert.ok(await third?.hold(), 'another duty');
    await one?.release();
    assert.ok(await other?.hold());
    assert.not(await one?.hold());
    await other?.release();
    await third?.release();
  } finally {
    remove();
  }
});

test('one whose holder has ended without a word is free', async () => {
  const { folder, remove } = temporaryFolder();
  try {
    const file = path.join(folder, 'views.db');
    const at = JSON.stringify(new URL('../../../../src/read-model/sqlite/lease.ts', import.meta.url).href);
    const holder = new Worker(
      `import(${at}).then(async ({ fileLease }) => {
        // Global, so that it is not collected, which would close its file.
        globalThis.lease = fileLease(${JSON.stringify(file)}, 'webhooks');
        require('node:worker_threads').parentPort.postMessage(await lease.hold());
        setInterval(() => {}, 1000);
      })`,
      { eval: true },
    );
    const [held] = await once(holder, 'message');
    assert.ok(held);
    const own = fileLease(file, 'webhooks');
    assert.not(await own.hold());
    await holder.terminate();
    assert.ok(await own.hold());
    await own.release();
  } finally {
    remove();
  }
});

test.run();
