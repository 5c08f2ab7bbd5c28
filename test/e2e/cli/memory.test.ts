// A service in a container with little memory: what a process of it says, keeps to, and gives back.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serving } from '../../support/process.ts';
import { freePort } from '../../support/redis-server.ts';
import { temporaryFolder } from '../../support/service.ts';

const test = suite('little memory');

/** What Node says in a container of 512 MiB; where the tests run there may be none, nor the right to make one. */
const IN_512_MIB = '--import=data:text/javascript,process.constrainedMemory=()=>536870912';

for (const [words, part] of [
  [[], 512],
  [['--workers', '2'], 256],
] as const)
  test(`with ${part} MiB for each process the heap fits, and is told at the start`, async () => {
    const { folder, remove } = temporaryFolder();
    const settings = { DAYBOOK_DATA_DIR: folder, DAYBOOK_LOG_LEVEL: 'info', NODE_OPTIONS: IN_512_MIB };
    const service = await serving({ ...settings, PORT: String(await freePort()) }, [], 'all', words);
    try {
      const lines = service
        .errors()
        .split('\n')
        .filter((line) => line.includes('memory is limited'));
      const told = lines.map((line) => JSON.parse(line));
      assert.ok(told.length >= 1, service.errors());
      for (const { limitMb, ofThisProcessMb, heapMb } of told) {
        assert.equal([limitMb, ofThisProcessMb], [512, part]);
        assert.ok(heapMb < 0.6 * part, `${heapMb} MB of heap`);
      }
      // Whether it answers depends on what else the real container of the tests holds: test/unit/memory judges that.
      const environment = readFileSync(`/proc/${service.child.pid}/environ`, 'utf8');
      assert.match(environment, 'MALLOC_ARENA_MAX=2');
    } finally {
      assert.is(await service.stop(), 0);
      remove();
    }
  });

test.run();
