import type { ObjectId } from 'mongodb';
import type { Authors } from '../authors/authors.ts';
import type { Base } from '../base.ts';
import { isRemoved, type PostDocument } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import type { SaveDocument } from './save-document.ts';

interface Needs extends Pick<Base, 'audit' | 'database' | 'log'> {
  posts: Pick<Posts, 'store' | 'arrived' | 'sealed'>;
  authors: Pick<Authors, 'wishes'>;
}

const REMOVED = 'Done: this post was removed from the archive.';
const LEFT = ' Others bear your name and did not come from there; whoever runs this archive will look at them.';

/**
 * Carries out the wish of an author and returns the reply text. The asker counts as the author only if the platform's
 * own answer said so when the post was kept, because an agent can claim any author.
 */
export async function grantWish({ posts, authors, audit, database, log }: Needs, save: SaveDocument): Promise<string> {
  const { platform, target, askedBy, wish } = save;
  const id = askedBy.id.slice(platform.length + 1);
  const author = { platform, id, handle: askedBy.handle ?? '' };
  // The time of the mention decides between two wishes, not the order in which they are processed.
  const now = save.askedIn?.at ?? database.clock.now();
  const found = target && (await posts.store.find(target.id));
  const named = found && !isRemoved(found) ? found : null;
  const sealed = found && isRemoved(found) && found.sealed ? await posts.sealed.find(found._id) : null;
  const own = named && isKnownAuthor(named, id) ? named : null;
  const tell = (done: { removed?: ObjectId[] }) => {
    log.info({ author: askedBy, wish, ...done }, 'an author has asked');
    const actor = { kind: 'author', id: askedBy.id } as const;
    const removed = done.removed?.length ?? 0;
    audit.note({ actor, act: wish ?? 'ask', subject: { kind: 'author', id: askedBy.id }, after: { removed } });
  };
  switch (wish) {
    case 'remove':
      if (sealed && isKnownAuthor(sealed, id)) {
        await posts.sealed.remove(sealed);
        tell({ removed: [sealed._id] });
        return REMOVED;
      }
      if (found && isRemoved(found)) return 'This post is not in the archive any more.';
      if (!own) return unknown(named, tell);
      await posts.store.remove(own._id);
      tell({ removed: [own._id] });
      return REMOVED;
    case 'remove all': {
      const removed: ObjectId[] = [];
      for (;;) {
        const batch = await posts.arrived.findOfAuthor(platform, id, 100);
        if (batch.length === 0) break;
        for (const post of batch) {
          await posts.store.remove(post._id);
          removed.push(post._id);
        }
      }
      for (const post of await posts.sealed.findOfAuthor(platform, id)) {
        await posts.sealed.remove(post);
        removed.push(post._id);
      }
      // Other senders have sent these posts under this author's name. The operator decides about them.
      const claimed = await posts.arrived.countClaimed(platform, id);
      if (claimed > 0) log.warn({ author: askedBy, claimed, alarm: 'author unknown' }, 'posts of an author are left');
      tell({ removed });
      return `Done: ${removed.length} of your posts ${removed.length === 1 ? 'was' : 'were'} removed from the archive.${claimed > 0 ? LEFT : ''}`;
    }
    case 'no tokens':
      await authors.wishes.set(author, { noTokens: true }, now);
      tell({});
      return 'Done: nobody can launch a token from your posts here.';
    case 'no archive':
      await authors.wishes.set(author, { noArchive: true }, now);
      tell({});
      return 'Done: nothing of yours is taken in here any more. To have what is kept removed, say “remove all”.';
    case 'allow':
      await authors.wishes.set(author, { noTokens: false, noArchive: false }, now);
      tell({});
      return 'Done: your posts may be saved here again, and tokens launched from them.';
    default:
      return 'As the author you can say: “remove” (this post), “remove all”, “no tokens”, “no archive” or “allow”.';
  }
}

/** Whether the platform itself has told that this person is the author. */
function isKnownAuthor({ authorId, isFromPlatform }: PostDocument, id: string): boolean {
  return isFromPlatform === true && authorId === id;
}

function unknown(post: PostDocument | null, tell: (done: object) => void): string {
  if (!post) return 'This post is not in the archive.';
  tell({ post: post._id, alarm: 'author unknown' });
  return 'It is not known here for certain who wrote this post; whoever runs this archive will look at it.';
}
