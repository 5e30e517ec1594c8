import { type PostView, postsAnswer, postView, threadAnswer } from './views.ts';

/** Embeds that are the author's own; any other shows whose words the post quotes. */
const OWN_EMBEDS: ReadonlySet<string> = new Set([
  'app.bsky.embed.images#view',
  'app.bsky.embed.video#view',
  'app.bsky.embed.external#view',
]);

/** What Bluesky shows of a post and its author, without the words of those whom it quotes or answers. */
export function ownPart({ uri, cid, author, record, embed, indexedAt, labels }: PostView): Uint8Array {
  const { did, handle, displayName, avatar, labels: authorLabels } = author;
  const own = embed?.$type === 'app.bsky.embed.recordWithMedia#view' ? embed['media'] : embed;
  const isOwn = OWN_EMBEDS.has((own as { $type?: string } | undefined)?.$type ?? '');
  const shownAuthor = { did, handle, displayName, avatar, labels: authorLabels };
  const shown = { uri, cid, author: shownAuthor, record, ...(isOwn && { embed: own }), indexedAt, labels };
  return Buffer.from(JSON.stringify(shown));
}

/** The same of the post at this address, wherever it stands in an answer; null where it is not there. */
export function findOwnPart(answer: unknown, address: string): Uint8Array | null {
  const all = [
    answer,
    threadAnswer.safeParse(answer).data?.thread.post,
    ...(postsAnswer.safeParse(answer).data?.posts ?? []),
  ];
  const view = all.map((one) => postView.safeParse(one).data).find((one) => one?.uri === address);
  return view ? ownPart(view) : null;
}
