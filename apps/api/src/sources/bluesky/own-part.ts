import { type PostView, postsAnswer, postView, threadAnswer } from './views.ts';

/** Embeds with the author's own content. Any other embed contains another author's post. */
const OWN_EMBEDS: ReadonlySet<string> = new Set([
  'app.bsky.embed.images#view',
  'app.bsky.embed.video#view',
  'app.bsky.embed.external#view',
]);

/** What Bluesky returned about a post and its author, without the text of posts that it quotes or answers. */
export function ownPart({ uri, cid, author, record, embed, indexedAt, labels }: PostView): Uint8Array {
  const { did, handle, displayName, avatar, labels: authorLabels } = author;
  const own = embed?.$type === 'app.bsky.embed.recordWithMedia#view' ? embed['media'] : embed;
  const isOwn = OWN_EMBEDS.has((own as { $type?: string } | undefined)?.$type ?? '');
  const shownAuthor = { did, handle, displayName, avatar, labels: authorLabels };
  const shown = { uri, cid, author: shownAuthor, record, ...(isOwn && { embed: own }), indexedAt, labels };
  return Buffer.from(JSON.stringify(shown));
}

/** The own part of the post at this address, wherever it is in an answer; null if the answer does not contain it. */
export function findOwnPart(answer: unknown, address: string): Uint8Array | null {
  const all = [
    answer,
    threadAnswer.safeParse(answer).data?.thread.post,
    ...(postsAnswer.safeParse(answer).data?.posts ?? []),
  ];
  const view = all.map((one) => postView.safeParse(one).data).find((one) => one?.uri === address);
  return view ? ownPart(view) : null;
}
