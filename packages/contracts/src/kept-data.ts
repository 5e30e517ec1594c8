import { PUSH_HOURS, SAVE_HOURS } from './limits.ts';
import { CHALLENGE_LIFETIME_MS, MESSAGE_WINDOW_MS } from './signed-messages.ts';

/** A kind of data that the server keeps, as `/privacy` describes it. */
export interface KeptData {
  /** Collections of the database that hold it. */
  collections: readonly string[];
  what: string;
  why: string;
  /** As text. */
  howLong: string;
  /** If the data expires by itself: the longest time that any of it is kept, in milliseconds. */
  longestMs?: number;
}

export interface KeptGroup {
  title: string;
  text: string;
  data: readonly KeptData[];
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const UNTIL_DELETED = 'Until you delete it, or your account.';
const WITH_POST = 'As long as its post.';

/** Everything that the database keeps, grouped by purpose. A test fails if a collection is missing. */
export const KEPT_DATA: readonly KeptGroup[] = [
  {
    title: 'Of you, as long as you want it',
    text: 'Only where you sign in with a wallet or ask for something. It goes with your account, from the dashboard.',
    data: [
      {
        collections: ['users'],
        what: 'Your wallet’s address, display name, picture and bio, your preferences, and when you first signed in',
        why: 'To show your dashboard as you left it.',
        howLong: 'Until you delete your account.',
      },
      {
        collections: ['reactions'],
        what: 'Which reaction you gave to which post, and when',
        why: 'To count them. Anybody may see them, with your wallet’s address.',
        howLong: 'Until you take it back, or delete your account.',
      },
      {
        collections: ['saved_searches'],
        what: 'Searches that you follow, and until when you have seen their answers',
        why: 'To tell you what is new.',
        howLong: UNTIL_DELETED,
      },
      {
        collections: ['collections', 'collection_posts'],
        what: 'Your collections and the posts in them',
        why: 'To show them to you, and to whom you give the link of an open one.',
        howLong: UNTIL_DELETED,
      },
      {
        collections: ['browsers'],
        what: 'Browsers that notices are pushed to: the address that your browser’s push service gave, and its keys',
        why: 'To push what you asked for. The messages are encrypted to your browser.',
        howLong: 'Until you sign out there, turn notices off, or delete your account. In no backup.',
      },
      {
        collections: ['pushes'],
        what: 'Messages to these browsers',
        why: `To send each one once. After ${PUSH_HOURS} hours none is sent any more.`,
        howLong: '7 days.',
        longestMs: 7 * DAY_MS,
      },
      {
        collections: ['saves'],
        what: 'Requests to save a post: its link, when it was asked for, how it went, your wallet’s address or who mentioned us, and the network (not the full address) from which it came',
        why: 'To do what was asked, and no more than a day’s share of it. The list of requests names nobody.',
        howLong: 'Requests stay; your wallet’s address in them goes with your account, and the network after two days.',
      },
    ],
  },
  {
    title: 'Of you, for a short while',
    text: 'It ends by itself, on the minute or within the next.',
    data: [
      {
        collections: ['sessions'],
        what: 'That you are signed in, with which wallet',
        why: 'So that you need not sign each step. Signing out ends it at once.',
        howLong: '24 hours.',
        longestMs: DAY_MS,
      },
      {
        collections: ['challenges'],
        what: 'The text that you are asked to sign in with',
        why: 'So that each one signs in once.',
        howLong: `${CHALLENGE_LIFETIME_MS / MINUTE_MS} minutes.`,
        longestMs: CHALLENGE_LIFETIME_MS,
      },
      {
        collections: ['signed_messages', 'signed_marks'],
        what: 'A fingerprint of each message that you signed, and what it was about',
        why: 'So that nobody can send it a second time.',
        howLong: `${(2 * MESSAGE_WINDOW_MS) / MINUTE_MS + 1} minutes.`,
        longestMs: 2 * MESSAGE_WINDOW_MS + MINUTE_MS,
      },
      {
        collections: ['rate_limits'],
        what: 'How often a wallet, a key or an address has called; of IPv6 addresses the first half',
        why: 'So that nobody takes the archive from everybody else.',
        howLong: 'One minute; how many reactions came from a network, one day.',
        longestMs: DAY_MS,
      },
      {
        collections: ['launch_counts'],
        what: 'How many tokens a wallet, and a network of addresses, has launched in a day',
        why: 'To keep to the day’s limits.',
        howLong: '2 days.',
        longestMs: 2 * DAY_MS,
      },
      {
        collections: ['account_deletions'],
        what: 'That your account is being deleted',
        why: 'So that nothing that was on its way is left behind.',
        howLong: 'About a minute. That it was deleted stays written, so that no older backup brings it back.',
      },
    ],
  },
  {
    title: 'What stays when you delete your account',
    text: 'Payments and tokens are written on the chain, where nobody can delete them. What we keep of them says the same.',
    data: [
      {
        collections: ['payments', 'credit_uses'],
        what: 'Payments for featuring: transaction, your wallet’s address, amount, post, and what became of it',
        why: 'So that none counts twice and none is lost.',
        howLong: 'For good.',
      },
      {
        collections: ['payment_reports'],
        what: 'That you told us of a payment which the chain does not show yet, and from which network',
        why: 'To look for it until it is there.',
        howLong: 'Until the chain has told what became of it.',
      },
      {
        collections: ['launches'],
        what: 'Tokens that you launched: name, symbol, description, your wallet’s address and the sentence you signed',
        why: 'So that no post is launched twice, and to serve what the token says of itself.',
        howLong: 'For good. The description goes when its post is removed.',
      },
    ],
  },
  {
    title: 'Of posts and the people who wrote them',
    text: 'What the archive is for. An author can have posts removed, or ask for nothing to be taken in: “Is this yours? Remove it” stands under each post, and a panel for it on the author’s page.',
    data: [
      {
        collections: ['posts'],
        what: 'Public posts, word for word, with author, handle, date and address; while a picture of one is missing, codes in place of who asked for it and of their network',
        why: 'To keep them.',
        howLong:
          'Until they are removed. Then their ids stay, so that they do not come again; of their words, what is told below.',
      },
      {
        collections: ['media', 'media_refs'],
        what: 'Pictures and videos of these posts',
        why: 'To show the posts as they were.',
        howLong: WITH_POST,
      },
      {
        collections: ['captures'],
        what: 'A post’s own part of what the platform answered when it was saved, and the record its author signed',
        why: 'To prove that the post is genuine. Nobody is shown it.',
        howLong: WITH_POST,
      },
      {
        collections: ['sealed_posts'],
        what: 'Posts that their authors took away on their platform, out of sight',
        why: 'Because some come back.',
        howLong: '30 days, unless this archive’s operator has set another number.',
      },
      {
        collections: ['look_hints'],
        what: 'That a post may have been changed or deleted on its platform',
        why: 'To look at it soon.',
        howLong: 'Until that has been seen, an hour or so.',
      },
      {
        collections: ['author_wishes', 'launch_optouts'],
        what: 'What authors ask of us: no tokens, nothing taken in',
        why: 'To keep to it.',
        howLong: 'Until the author says otherwise.',
      },
      {
        collections: ['media_blocks'],
        what: 'Fingerprints of pictures that are never kept again',
        why: 'So that they stay away.',
        howLong: 'For good.',
      },
    ],
  },
  {
    title: 'To answer for what was done',
    text: 'Of who runs the archive, and of sign-ins. It stays when you delete your account: a log that forgets on request proves nothing.',
    data: [
      {
        collections: ['audit', 'audit_counts'],
        what: 'The log of acts: what operators, agents and authors had done to which post, payment or wallet, and why; each sign-in, with the wallet; refused sign-ins, counted by the hour under a code in place of the address. Never words of a post',
        why: 'So that nobody who runs the archive can do something unseen.',
        howLong: 'As the operator has set it; two years where nothing is set.',
      },
      {
        collections: ['reports', 'reported_posts'],
        what: 'Reports: the post, the reason, what you wrote, how to answer you if you said so, and a code in place of your network',
        why: 'To look at what was reported, and to tell you what became of it.',
        howLong:
          'Your words and how to answer you: 90 days after the decision. That there was a report, and what was decided: for good.',
      },
      {
        collections: ['operators', 'switches', 'suspended_wallets', 'removals'],
        what: 'Who may moderate, what is stopped, which wallets are suspended, and removals under way, with the wallet of who did it',
        why: 'To run the archive, and to stop what harms it.',
        howLong: 'Until it is undone; when it was, for good.',
      },
    ],
  },
  {
    title: 'To run the archive',
    text: 'Nothing of you is in it.',
    data: [
      {
        collections: ['agent_keys', 'imports'],
        what: 'Keys of the programs that save posts, as hashes, and how far a file has been read in',
        why: 'To know who saves.',
        howLong: 'Keys for good; the rest until the file has been read.',
      },
      {
        collections: ['agents', 'agent_budgets'],
        what: 'How far mentions have been read on each platform, since when it cannot be reached, and what that cost in a day; how many bytes of pictures, videos and evidence were taken in a day and how often the categoriser was asked, under codes in place of those who asked',
        why: 'To read each one once, within the day’s budget.',
        howLong: 'For good; the counts of a day until the next one that has any.',
      },
      {
        collections: ['feature_prices', 'payment_receivers', 'payment_watches'],
        what: 'Prices that were in force, and how far the chain has been read',
        why: 'To find every payment.',
        howLong: 'For good.',
      },
      {
        collections: ['index_positions'],
        what: 'How far the search index of each running process is',
        why: 'So that an import can say when its posts can be found.',
        howLong: 'Until the process ends; of one that was killed, until another starts.',
      },
      {
        collections: ['archive_state', 'ledger_files', 'leases'],
        what: 'Which process does what, and what a restore must look for',
        why: 'So that several processes keep one archive.',
        howLong: 'As long as the archive.',
      },
    ],
  },
];

/**
 * Where words of a removed post remain, and how long. `docs/security.md` has the same table; a test compares the two.
 */
export const REMOVED_WORDS: readonly { where: string; howLong: string }[] = [
  {
    where: 'The database: the post, its evidence, the alternative texts of its pictures, what a token says of it',
    howLong: 'The post at once, the rest within a minute.',
  },
  {
    where: 'Evidence of other posts, which quote it, answer it or are answered by it',
    howLong: 'Never: of what a platform answers, each post keeps its own part.',
  },
  {
    where: 'A request to save it that was under way',
    howLong: `Until the request ends, at most ${SAVE_HOURS} hours.`,
  },
  { where: 'The file of the search index, which answers with them no more', howLong: 'A day at most.' },
  {
    where: 'The ledger',
    howLong:
      'Never. A file that an earlier version wrote may hold words of launched posts until the operator deletes it.',
  },
  {
    where: 'Backups that were made before',
    howLong: 'As the operator of this archive has set it. A restore takes the words out again.',
  },
  { where: 'Browsers that have opened it', howLong: '7 days, or until it is opened again.' },
];

/** What is kept outside the database. */
export const KEPT_ELSEWHERE: readonly Omit<KeptData, 'collections' | 'longestMs'>[] = [
  {
    what: 'The log: which change was asked for, by which wallet, when, and how it was answered; never a key, a signature, words of yours or your full address',
    why: 'To find out what went wrong, and who did it. What it has written stays when you delete your account.',
    howLong: 'As the operator of this archive has set it.',
  },
  {
    what: 'Where the operator watches the archive: how many requests of each kind were answered, and how. Nothing of who asked',
    why: 'To see that it runs.',
    howLong: 'As the operator of this archive has set it.',
  },
  {
    what: 'The ledger: removals, payments, launches, deleted accounts, and what authors ask of us, with their handles. Never words of a post',
    why: 'So that no backup undoes them.',
    howLong: 'For good.',
  },
  {
    what: 'Backups of the database, the pictures and the videos',
    why: 'So that nothing is lost with a machine. What was removed or deleted since is taken out again before anything is shown.',
    howLong: 'As the operator of this archive has set it.',
  },
  {
    what: 'In your own browser: that you are signed in, the theme, and pages you opened, for when there is no net',
    why: 'So that you find things as you left them. There are no cookies, and nobody else is asked anything about you.',
    howLong: 'Until you sign out; opened pages, 7 days.',
  },
];
