const { basename } = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * The longest test files, which start first: started last, one of them would keep a single worker busy at the end.
 * Files that mostly wait are listed next to files that compute.
 */
const LONGEST = [
  'kills',
  'drill',
  'launches',
  'featuring',
  'bad-input',
  'archive-reference',
  'arrival',
  'reports',
  'deletions',
  'payment-reports',
  'launch-eligibility',
  'hung-commands',
  'agent-keys',
  'replay-ledger',
  'endpoints',
  'media',
  'launch-limits',
  'x-agent',
  'stops',
  'forget',
];

function place({ path }) {
  const at = LONGEST.indexOf(basename(path).replace(/\.test\.tsx?$/, ''));
  return at === -1 ? LONGEST.length : at;
}

module.exports = class extends Sequencer {
  sort(tests) {
    return [...super.sort(tests)].sort((a, b) => place(a) - place(b));
  }

  /** Distributes the files so that each shard gets some of the longest. */
  shard(tests, { shardIndex, shardCount }) {
    return [...tests]
      .sort((a, b) => place(a) - place(b) || a.path.localeCompare(b.path))
      .filter((_, at) => at % shardCount === shardIndex - 1);
  }
};
