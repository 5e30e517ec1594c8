import {
  type ArchiveFilter,
  type ArchivePage,
  DEFAULT_QUERY,
  ERROR_STATUS,
  type Post,
  PRODUCT_NAME,
  PRODUCT_SLUG,
  printFilters,
  readFilters,
  SORT_FIELDS,
  SORT_ORDERS,
  type TokenLaunch,
  viewTitle,
} from '@archive/contracts';
import { archiveQuerySchema } from '@archive/contracts/schemas';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import type { Collections } from '../collections/collections.ts';
import { findReadable, showCollection } from '../collections/show-collection.ts';
import type { View, ViewAsked } from '../http/web-page.ts';
import type { ReactionCounter } from '../posts/answer-posts.ts';
import { exploreArchive } from '../posts/explore-archive.ts';
import { given, isHeldBack } from '../posts/held-back.ts';
import { listArchives } from '../posts/list-archives.ts';
import { findPost, isNotShown } from '../posts/live-post.ts';
import type { Posts } from '../posts/posts.ts';
import type { Asker } from '../question-queue.ts';
import { describePost } from './describe-post.ts';
import { headHtml, type PageHead } from './head-html.ts';
import { plainExplore } from './plain-explore.ts';
import { authorPath, plainList, plainNote, plainPost } from './plain-html.ts';
import { plainPrivacy } from './plain-privacy.ts';
import { plainPrograms } from './plain-programs.ts';

export type ViewNeeds = Base & {
  posts: Posts;
  reactions: ReactionCounter;
  collections: Collections;
  launches: { last: { readonly current: TokenLaunch | null } };
};

/** The view of a page by its address alone. */
export function bareView(asked: ViewAsked, { config }: Pick<Base, 'config'>): View {
  const { origin } = config.publicUrl;
  const title = TITLES[asked.route];
  if (title) {
    const canonical = asked.route.includes(':') ? null : `${origin}${asked.route}`;
    return { status: 200, head: headHtml({ ...ownHead(title, origin), canonical }), plain: NEEDS_SCRIPT };
  }
  return { status: 200, head: headHtml(listHead(filterOf(asked), origin)), plain: LATER };
}

/** The view with the archive's content. */
export async function findView(context: ViewNeeds, asked: ViewAsked, asker: Asker): Promise<View> {
  if (asked.route === '/post/:id') return findPostView(context, asked.name);
  if (asked.route === '/collection/:id') return findCollectionView(context, asked.name);
  if (asked.route === '/privacy') return { ...bareView(asked, context), plain: plainPrivacy() };
  if (asked.route === '/programs')
    return { ...bareView(asked, context), plain: plainPrograms(context.config.publicUrl.origin) };
  if (asked.route === '/explore') return findExploreView(context, asker);
  if (asked.route === '/' || asked.route === '/author/:handle') return findListView(context, asked, asker);
  return bareView(asked, context);
}

const NEEDS_SCRIPT = `<p>This page of ${PRODUCT_NAME} needs JavaScript. <a href="/">All posts</a> can be read without.</p>`;
const LATER = '<p>The posts took too long to come. <a href="">Try again</a></p>';

/** Titles as the page's own script sets them; some are replaced once more is known. */
const TITLES: Partial<Record<ViewAsked['route'], string>> = {
  '/post/:id': `A post in ${PRODUCT_NAME}`,
  '/collection/:id': `Collection, ${PRODUCT_NAME}`,
  '/explore': `Explore, ${PRODUCT_NAME}`,
  '/dashboard': `Dashboard, ${PRODUCT_NAME}`,
  '/save': `Save a post, ${PRODUCT_NAME}`,
  '/privacy': `What is kept, and for how long, ${PRODUCT_NAME}`,
  '/programs': `For programs, ${PRODUCT_NAME}`,
  '/report/:secret': `A report, ${PRODUCT_NAME}`,
  '/admin': `Admin, ${PRODUCT_NAME}`,
  '/admin/:page': `Admin, ${PRODUCT_NAME}`,
  '/saves': `Requests to save, ${PRODUCT_NAME}`,
};

const NOT_SHOWN_TITLES = {
  post_not_found: 'No such post',
  post_removed: 'This post is gone',
  post_hidden: 'This post is hidden',
  post_withheld: 'Not shown for legal reasons',
};

async function findPostView(context: ViewNeeds, id: string): Promise<View> {
  const { origin } = context.config.publicUrl;
  const post = await findPost(context, id).catch((error: unknown) => {
    if (isNotShown(error)) return error;
    throw error;
  });
  if (post instanceof AppError) {
    const title = `${NOT_SHOWN_TITLES[post.code]}, ${PRODUCT_NAME}`;
    return { status: ERROR_STATUS[post.code], head: headHtml(ownHead(title, origin)), plain: plainNote(post.message) };
  }
  if (isHeldBack(post, context.config)) {
    const head = { ...ownHead(`A post in ${PRODUCT_NAME}`, origin), canonical: `${origin}/post/${post._id}` };
    return { status: 200, head: headHtml(head), plain: plainNote(`Post ${post.id} of X.`) };
  }
  const told = given(post, context.config);
  return { status: 200, head: headHtml(describePost(told, origin)), plain: plainPost(told, origin) };
}

/** A private collection is not revealed, not even its existence. Its owner's page requests it separately. */
async function findCollectionView(context: ViewNeeds, id: string): Promise<View> {
  const { origin } = context.config.publicUrl;
  const found = await findReadable(context, id, null).catch((error: unknown) => {
    if (error instanceof AppError) return null;
    throw error;
  });
  if (!found) return bareView({ route: '/collection/:id', name: id, query: new URLSearchParams() }, context);
  const list = await showCollection(context, found, { page: 1, limit: DEFAULT_QUERY.limit, wallet: null });
  const title = `${found.name}, ${PRODUCT_NAME}`;
  const _id = found._id.toHexString();
  const head = { ...ownHead(title, origin), canonical: `${origin}/collection/${_id}`, feeds: `?collection=${_id}` };
  return { status: 200, head: headHtml(head), plain: plainList(givenOf(context, list), { title, next: null, origin }) };
}

async function findExploreView(context: ViewNeeds, asker: Asker): Promise<View> {
  const { origin } = context.config.publicUrl;
  const explore = await exploreArchive(context, asker);
  const { total, week, onThisDay } = explore;
  const count = total === 1 ? '1 post' : `${total.toLocaleString('en')} posts`;
  const title = `Explore, ${PRODUCT_NAME}`;
  const head = {
    ...ownHead(title, origin),
    description: `Ways through ${count} kept word for word in ${PRODUCT_NAME}: by category and month, by author, by language, by day, or by chance.`,
    canonical: `${origin}/explore`,
  };
  const shown = givenOf(context, { data: [...week.posts, ...onThisDay.years.map(({ post }) => post)] }).data;
  // The list does not say which posts the names come from, so with `X_EXPORT=ids` all names are left out.
  const told = context.config.sources.x.exports === 'ids' ? { ...explore, activeAuthors: [], newAuthors: [] } : explore;
  return { status: 200, head: headHtml(head), plain: plainExplore(told, { title, shown, origin }) };
}

async function findListView(context: ViewNeeds, asked: ViewAsked, asker: Asker): Promise<View> {
  const { origin } = context.config.publicUrl;
  const filter = filterOf(asked);
  const { query } = asked;
  const sort = {
    sortBy: SORT_FIELDS.find((field) => field === query.get('sortBy')) ?? DEFAULT_QUERY.sortBy,
    sortOrder: SORT_ORDERS.find((order) => order === query.get('sortOrder')) ?? DEFAULT_QUERY.sortOrder,
  };
  const page = /^[1-9]\d{0,5}$/.test(query.get('page') ?? '') ? Number(query.get('page')) : 1;
  // Invalid dates count as absent. The list refuses dates in the wrong order, and then there is nothing to show.
  const parsed = archiveQuerySchema.safeParse({ ...filter, ...sort, page: String(page) });
  if (!parsed.success) return bareView(asked, context);
  const list = await listArchives(context, parsed.data, asker);
  const told = givenOf(context, list);
  const head = listHead(filter, origin, told);
  const isNobody = asked.route === '/author/:handle' && list.pagination.total === 0 && isOnlyHandle(filter);
  if (isNobody) {
    const words = `Nobody called @${asked.name} is kept in ${PRODUCT_NAME}.`;
    return { status: 404, head: headHtml({ ...head, canonical: null, feeds: null }), plain: plainNote(words) };
  }
  const next = page < list.pagination.pages ? nextPage(asked, page + 1) : null;
  return { status: 200, head: headHtml(head), plain: plainList(told, { title: head.title, next, origin }) };
}

/** The posts of a list that may be given out, in their allowed form. */
function givenOf<List extends { data: Post[] }>({ config }: Pick<Base, 'config'>, list: List): List {
  const shown = list.data.filter((post) => !isHeldBack(post, config));
  return { ...list, data: shown.map((post) => given(post, config)) };
}

function isOnlyHandle({ handle, ...others }: ArchiveFilter): boolean {
  return handle !== undefined && printFilters(others) === '';
}

/** The handle in the path decides whose posts are shown. */
function filterOf({ route, name, query }: ViewAsked): ArchiveFilter {
  const { handle: _, ...filter } = readFilters(query);
  return route === '/author/:handle' ? { ...filter, handle: name } : filter;
}

function listHead(filter: ArchiveFilter, origin: string, list?: ArchivePage): PageHead {
  const { handle, ...others } = filter;
  const query = printFilters(others);
  const path = `${handle === undefined ? '/' : authorPath(handle)}${query === '' ? '' : `?${query}`}`;
  const feeds = printFilters(filter);
  return {
    ...ownHead(viewTitle(filter), origin),
    description: describeList(filter, list),
    type: isOnlyHandle(filter) ? 'profile' : 'website',
    canonical: `${origin}${path}`,
    feeds: feeds === '' ? '' : `?${feeds}`,
  };
}

function describeList(filter: ArchiveFilter, list: ArchivePage | undefined): string {
  const isAll = printFilters(filter) === '';
  if (!list || isAll)
    return `${PRODUCT_NAME} keeps social-media posts word for word, dated, and free to browse, search and export.`;
  const { total } = list.pagination;
  const count = total === 1 ? '1 post' : `${total.toLocaleString('en')} posts`;
  const author = filter.handle === undefined ? undefined : list.data[0];
  if (author && isOnlyHandle(filter)) {
    return `${count} by ${author.author} (@${author.authorUsername}), kept word for word and dated in ${PRODUCT_NAME}.`;
  }
  return `${count} kept word for word and dated in ${PRODUCT_NAME}, free to browse, search and export.`;
}

/** The head of a page with our own text only. */
function ownHead(title: string, origin: string): PageHead {
  return {
    title,
    description: `${PRODUCT_NAME} keeps social-media posts word for word, dated, and free to browse, search and export.`,
    type: 'website',
    canonical: null,
    image: {
      url: `${origin}/static/img/og-card.png`,
      alt: `${PRODUCT_NAME}: posts, kept in ${PRODUCT_SLUG}`,
      width: 1200,
      height: 630,
    },
    feeds: null,
  };
}

function nextPage({ route, name, query }: ViewAsked, page: number): string {
  const params = new URLSearchParams(query);
  params.set('page', String(page));
  return `${route === '/author/:handle' ? authorPath(name) : '/'}?${params}`;
}
