import { tokenNameProblem, tokenSymbolProblem } from '@archive/contracts';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nameBytes, suggestToken } from './launch-defaults.ts';

test.each([
  ['Tomasz Wren', 'Tomasz Wren Token', 'TOMA'],
  ['Esra Yıldız', 'Esra Yıldız Token', 'ESRA'],
  ['Élan', 'Élan Token', 'ELAN'],
  ['ﬁn', 'ﬁn Token', 'FIN'],
  ['a1-b2-c3', 'a1-b2-c3 Token', 'A1B2'],
  ['高橋みどり', '高橋みどり Token', ''],
  ['two\nlines', 'two lines Token', 'TWOL'],
  ['turned\u202eround', 'turnedround Token', 'TURN'],
  ['A name that is much longer than it may be', 'A name that is much longer than', 'ANAM'],
  ['Дарья Ветлугина', 'Дарья Ветлугина', ''],
  ['रागिनी देशमाने', 'रागिनी', ''],
  ['กานดา ใจเย็น', 'กานดา', ''],
  ['Ångström Łukasz Þór Æsir', 'Ångström Łukasz Þór Æsir', 'ANGS'],
  ['x'.repeat(40), 'x'.repeat(32), 'XXXX'],
  [`${'x'.repeat(26)} y`, `${'x'.repeat(26)} y`, 'XXXX'],
  [`${'x'.repeat(32)} y`, 'x'.repeat(32), 'XXXX'],
  ['👨‍👩‍👧‍👦👨‍👩‍👧‍👦', '👨‍👩‍👧‍👦', ''],
])('offers for %j the name %j and the symbol %j', (author, name, symbol) => {
  expect(suggestToken(author)).toEqual({ name, symbol });
});

test('whatever an author is called, what is offered may be launched or is empty', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (author) => {
      const { name, symbol } = suggestToken(author);
      expect([null, 'is required']).toContain(tokenNameProblem(name));
      expect(nameBytes(name)).toBeLessThanOrEqual(32);
      expect([null, 'is required']).toContain(tokenSymbolProblem(symbol));
    }),
  );
});
