// What generations do beside and after each other, whichever database is behind the read model.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Position } from '../../src/log/envelope.ts';
import type { Build, Claim, Generation, Generations } from '../../src/read-model/generations.ts';
import { packRow, type Row, rowOf } from '../../src/read-model/list-index/rows.ts';
import type { DocumentChange, ReadModel } from '../../src/read-model/read-model.ts';
import { category, event, eventQuery, positionAfter, put, saved } from '../support/documents.ts';

export interface GenerationsPlace {
  /** Handles as other processes would have them; closed with the test. */
  open(fingerprint?: string): Promise<ReadModel>;
  generations(fingerprint?: string): Promise<Generations>;
  /** How many generations take up room. */
  count(): Promise<number>;
  cleanup(): Promise<void>;
}

type Run = (place: GenerationsPlace) => Promise<void>;

const titles = async (model: ReadModel): Promise<string[]> => {
  const ids = [1, 2, 3].map((id) => ({ kind: 'event', id }) as const);
  return (await model.fetch(ids)).flatMap((found) => (found?.kind === 'event' ? [found.title] : []));
};

const titled = (id: number, title: string): DocumentChange => saved(event(id, { title }));

/** Fills a build up to a checkpoint in one batch. */
async function fill(model: ReadModel, upTo: Position, ...changes: readonly DocumentChange[]): Promise<void> {
  assert.is(await model.apply({ after: await model.checkpoint(), upTo, changes }), 'applied');
}

async function withBuild(
  place: GenerationsPlace,
  run: (build: Build, claim: Claim, generations: Generations) => Promise<void>,
  fingerprint?: string,
): Promise<void> {
  const generations = await place.generations(fingerprint);
  const claim = await generations.claim();
  await run(await claim.begin(), claim, generations);
  await claim.release();
}

/** A whole rebuild that leaves these documents. */
async function rebuilt(place: GenerationsPlace, upTo: Position, ...changes: readonly DocumentChange[]): Promise<void> {
  await withBuild(place, async (build, claim) => {
    await fill(build.model, upTo, ...changes);
    assert.is(await build.promote(), 'live');
    await build.close();
    await claim.cleanUp();
  });
}

async function keysOf(generation: Generation): Promise<string[]> {
  const found = new Set<string>();
  for await (const keys of generation.keys()) for (const { kind, id } of keys) found.add(`${kind} ${id}`);
  return [...found].sort();
}

const complaint = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no complaint',
    (error: Error) => `${error.name}: ${error.message}`,
  );

export function generationsContract(name: string, open: () => Promise<GenerationsPlace>): void {
  const contract = suite(`generations: ${name}`);
  const check = (rule: string, run: Run) =>
    contract(rule, async () => {
      const place = await open();
      try {
        await run(place);
      } finally {
        await place.cleanup();
      }
    });

  check('what is kept beside documents is their rows and names', async (place) => {
    const [here, other] = [event(1, { slug: 'here' }), event(2, { slug: 'there' })];
    await put(await place.open(), saved(here), saved(category(5)));
    const live = await (await place.generations()).live();
    assert.ok(live);
    const [found, renamed, absent, term] = await live.beside([here, { ...here, slug: 'gone' }, other, category(5)]);
    assert.equal([found?.row && Buffer.from(found.row), found?.hasNames], [packRow(rowOf(here) as Row), true]);
    assert.equal([renamed?.hasNames, absent, term?.hasNames], [false, { row: null, hasNames: false }, true]);
    await live.close();
  });

  check('all open read models continue with the generation that comes into use', async (place) => {
    const [one, other] = [await place.open(), await place.open()];
    await put(one, titled(1, 'wrong'), saved(category(5)));
    assert.equal(await titles(other), ['wrong']);
    assert.is((await other.terms()).size, 1);
    const versions = [await one.version(), await other.version()];
    await withBuild(place, async (build) => {
      await fill(build.model, positionAfter(1), titled(1, 'right'), titled(2, 'too'));
      assert.equal(await titles(one), ['wrong']);
      assert.is(await build.promote(), 'live');
      await build.close();
    });
    for (const model of [one, other]) {
      assert.not(versions.includes(await model.version()));
      assert.equal(await titles(model), ['right', 'too']);
      assert.is((await model.listEvents(eventQuery())).total, 2);
      assert.is((await model.terms()).size, 0);
      assert.is((await model.findBySlug('event', 'event-2'))?.title, 'too');
    }
    assert.equal(await titles(await place.open()), ['right', 'too']);
  });

  check('each single read notices the switch, whatever is asked first', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'wrong'));
    const asks: readonly ((model: ReadModel) => Promise<unknown>)[] = [
      async (model) => (await model.listEvents(eventQuery({ page: { offset: 0, limit: 0 } }))).total,
      async (model) => (await titles(model)).length,
      async (model) => [...(await model.terms()).keys()].length + 1,
      async (model) => Number(await model.checkpoint()),
      async (model) => ((await model.findBySlug('event', 'event-2')) ? 2 : 0),
      async (model) => (((await model.nextEdge(10_000)) ?? 0) === 13_601 ? 2 : 0),
    ];
    const models = await Promise.all(asks.map(() => place.open()));
    for (const [at, ask] of asks.entries()) if (models[at]) await ask(models[at]);
    const second = event(2, { startsAt: 10_000, endsAt: 13_601 });
    const first = event(1, { startsAt: 10_000, endsAt: 14_000 });
    await rebuilt(place, positionAfter(2), saved(first), saved(second), saved(category(5)));
    for (const [at, ask] of asks.entries()) if (models[at]) assert.is(await ask(models[at]), 2, `question ${at}`);
  });

  check('a writer continues in the new generation', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'one'));
    await rebuilt(place, positionAfter(4), titled(1, 'one'), titled(2, 'two'));
    assert.is(await writer.apply({ after: positionAfter(1), upTo: positionAfter(2), changes: [] }), 'stale');
    assert.is(await writer.checkpoint(), positionAfter(4));
    await put(writer, titled(3, 'three'));
    assert.equal(await titles(await place.open()), ['one', 'two', 'three']);
  });

  check('a batch that was made from the generation before is not applied to the new one', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'wrong'));
    const after = await writer.checkpoint();
    const [made] = await titles(writer);
    await rebuilt(place, after, titled(1, 'right'));
    // Meanwhile another read goes over the same handle.
    assert.equal(await titles(writer), ['right']);
    const batch = { after, upTo: positionAfter(2), changes: [titled(1, `${made}, changed`)] };
    assert.is(await writer.apply(batch), 'stale');
    assert.equal(await titles(writer), ['right']);
    await put(writer, titled(1, 'right, changed'));
    assert.equal(await titles(await place.open()), ['right, changed']);
  });

  check('emptying what has been replaced leaves the new generation as it is', async (place) => {
    const [writer, looker] = [await place.open(), await place.open()];
    await rebuilt(place, positionAfter(1), titled(1, 'right'));
    await writer.clear();
    assert.equal(await titles(writer), ['right']);
    // It reads the new one already, and has not been told yet that it is another one.
    assert.equal(await titles(looker), ['right']);
    await looker.clear();
    assert.equal(await titles(looker), ['right']);
    await looker.clear();
    await writer.version();
    assert.equal(await titles(writer), []);
  });

  check('a generation that lacks something does not come into use', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'one'));
    await withBuild(place, async (build) => {
      assert.is(await build.promote(), 'behind');
      await fill(build.model, positionAfter(1), titled(1, 'one'));
      await put(writer, titled(2, 'two'));
      assert.is(await build.promote(), 'behind');
      assert.equal(await titles(writer), ['one', 'two']);
      await fill(build.model, positionAfter(2), titled(2, 'two'));
      assert.is(await build.promote(), 'live');
      await build.close();
    });
    assert.equal(await titles(writer), ['one', 'two']);
  });

  check('of a build that is discarded nothing is left', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'one'));
    const before = await place.count();
    const version = await writer.version();
    await withBuild(place, async (build) => {
      await fill(build.model, positionAfter(1), titled(1, 'other'));
      assert.is(await place.count(), before + 1);
      await build.discard();
    });
    assert.is(await place.count(), before);
    assert.is(await writer.version(), version);
    await put(writer, titled(2, 'two'));
    assert.equal(await titles(await place.open()), ['one', 'two']);
  });

  check('an abandoned build is dropped by the next cleanup', async (place) => {
    const writer = await place.open();
    await put(writer, titled(1, 'one'));
    const before = await place.count();
    await withBuild(place, async (build) => {
      await fill(build.model, positionAfter(1), titled(1, 'other'));
      await build.close();
    });
    assert.is(await place.count(), before + 1);
    const claim = await (await place.generations()).claim();
    assert.is(await claim.cleanUp(), 1);
    assert.is(await place.count(), before);
    assert.is(await claim.cleanUp(), 0);
    await claim.release();
    assert.equal(await titles(writer), ['one']);
  });

  check(
    'a replaced generation is dropped, and processes that have it open still get the right answer',
    async (place) => {
      const sleepers = [await place.open(), await place.open()];
      await put(await place.open(), titled(1, 'first'));
      for (const sleeper of sleepers) assert.equal(await titles(sleeper), ['first']);
      const before = await place.count();
      for (const title of ['second', 'third', 'fourth']) {
        await rebuilt(place, positionAfter(1), titled(1, title));
        assert.ok((await place.count()) <= before + 1);
        assert.equal(await titles(await place.open()), [title]);
      }
      const [reader, writer] = sleepers;
      assert.equal(reader && (await titles(reader)), ['fourth']);
      assert.equal(
        writer && (await writer.apply({ after: positionAfter(1), upTo: positionAfter(2), changes: [] })),
        'stale',
      );
      assert.equal(writer && (await titles(writer)), ['fourth']);
    },
  );

  check('no version comes twice, however often generations change', async (place) => {
    const model = await place.open();
    const seen = [await model.version()];
    for (let round = 1; round <= 3; round++) {
      await put(await place.open(), titled(1, 'same'));
      seen.push(await model.version());
      await rebuilt(place, await model.checkpoint(), titled(1, 'same'));
      seen.push(await model.version());
    }
    assert.is(new Set(seen).size, seen.length);
  });

  check('one process at a time has the right to rebuild', async (place) => {
    const [one, other] = [await place.generations(), await place.generations()];
    const claim = await one.claim();
    assert.match(await complaint(other.claim()), /^ReadModelUnavailable: .* is being rebuilt by another process/);
    await claim.release();
    const second = await other.claim();
    await second.release();
  });

  check('a generation for other code or settings does not affect users of the one in use', async (place) => {
    const old = await place.open('old');
    await put(old, titled(1, 'old'));
    const young = await place.generations('young');
    assert.is(await young.live(), null);
    await withBuild(
      place,
      async (build) => {
        await fill(build.model, positionAfter(1), titled(1, 'young'));
        assert.is(await build.promote(), 'live');
        await build.close();
      },
      'young',
    );
    assert.equal(await titles(old), ['old']);
    await put(old, titled(2, 'old, too'));
    assert.equal(await titles(await place.open('young')), ['young']);
    assert.equal(await titles(old), ['old', 'old, too']);
  });

  check('the one in use is shown with its name and all its documents', async (place) => {
    const model = await place.open();
    await put(model, titled(1, 'one'), titled(2, 'two'), saved(category(7)));
    const generations = await place.generations();
    const live = await generations.live();
    assert.ok(live);
    assert.equal(await keysOf(live), ['category 7', 'event 1', 'event 2']);
    assert.is(await live.model.checkpoint(), positionAfter(1));
    await live.close();
    await withBuild(place, async (build) => {
      await fill(build.model, positionAfter(1), titled(3, 'three'));
      assert.equal(await keysOf(build), ['event 3']);
      assert.is.not(build.name, live.name);
      await build.promote();
      await build.close();
      const next = await generations.live();
      assert.is(next?.name, build.name);
      await next?.close();
    });
  });

  check('a read model opened while generations change gets a complete one', async (place) => {
    await put(await place.open(), titled(1, '0'));
    let rebuilding = true;
    const seen: string[][] = [];
    const opening = async () => {
      while (rebuilding) {
        const model = await place.open();
        seen.push(await titles(model));
        await model.close();
        await new Promise(setImmediate);
      }
    };
    const changing = async () => {
      for (let round = 1; round <= 12; round++) {
        await rebuilt(place, positionAfter(1), titled(1, String(round)));
        await new Promise(setImmediate);
      }
      rebuilding = false;
    };
    await Promise.all([opening(), changing()]);
    const numbers = seen.map(([title]) => Number(title));
    assert.equal(
      numbers,
      [...numbers].sort((one, other) => one - other),
    );
    assert.ok(numbers.length > 1);
  });

  contract.run();
}
