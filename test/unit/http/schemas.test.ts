// Schemas are built without the code of TypeBox; they are what it builds.
import TypeBox from 'typebox';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import Type from '../../../src/http/schemas/type.ts';

const test = suite('schemas');

/** One with each builder, plain and with keywords. */
const built = (builders: typeof Type) => {
  const { Object: object, Optional, String: text, Integer } = builders;
  const described = { description: 'What it is.' };
  return {
    text: [text(), text({ ...described, pattern: '^a$' })],
    numbers: [Integer(), Integer({ minimum: 0 }), builders.Number(described)],
    flags: [builders.Boolean(), builders.Boolean(described)],
    nothing: [builders.Null(), builders.Unknown(), builders.Unknown(described)],
    lists: [builders.Array(text()), builders.Array(Integer(described), { maxItems: 3 })],
    choices: [builders.Union([text(), builders.Null()]), builders.Union([Integer()], described)],
    references: [builders.Ref('Event'), builders.Intersect([builders.Ref('Event')], described)],
    objects: [
      object({}),
      object({ one: text(), two: Optional(Integer(described)), three: builders.Unsafe({ enum: [1] }) }, described),
      object({ one: Optional(object({ two: text() })) }, { additionalProperties: false }),
    ],
  };
};

test('they are those of TypeBox, member by member and in the same order', () => {
  assert.is(JSON.stringify(built(Type), null, 1), JSON.stringify(built(TypeBox), null, 1));
});

test('a member that may be left out is so for both', () => {
  for (const builders of [Type, TypeBox]) {
    const schema = builders.Optional(builders.Unsafe<string>({ type: 'string', check: 'anything' }));
    assert.equal([Type.IsOptional(schema), TypeBox.IsOptional(schema)], [true, true]);
    assert.equal(Object.keys(schema), ['type', 'check'], 'it is no keyword');
    assert.equal([Type.IsOptional(builders.String()), TypeBox.IsOptional(builders.String())], [false, false]);
  }
});

test.run();
