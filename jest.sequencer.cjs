const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * What takes longest, the first of all: begun last, one of them would keep a single worker busy at the end. `bad-input`
 * times each answer, so it does not begin beside the kills.
 */
const LONGEST = ['kills', 'launches', 'archive-reference', 'bad-input', 'launch-limits', 'featuring', 'embedded-mongo'];

module.exports = class extends Sequencer {
  sort(tests) {
    const place = ({ path }) => {
      const at = LONGEST.findIndex((name) => path.endsWith(`/tests/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return [...super.sort(tests)].sort((a, b) => place(a) - place(b));
  }
};
