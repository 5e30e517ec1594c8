import { COLLECTION_POSTS, COLLECTIONS, PRODUCT_SLUG } from '@archive/contracts';
import { EXPORT_TYPES } from '@archive/contracts/schemas';
import { ObjectId } from 'mongodb';
import { AppError } from '../app-error.ts';
import type { Base } from '../base.ts';
import { download, json } from '../http/replies.ts';
import type { Routes } from '../http/route.ts';
import { givenOnly } from '../posts/held-back.ts';
import { findLivePost } from '../posts/live-post.ts';
import { isObjectId } from '../posts/post-document.ts';
import type { Posts } from '../posts/posts.ts';
import { writeExport } from '../posts/write-export.ts';
import {
  type CollectionNeeds,
  describeCollection,
  describeCollections,
  findOwn,
  findReadable,
  noSuchCollection,
  readCollection,
  showCollection,
} from './show-collection.ts';

type Needs = Base & CollectionNeeds & { posts: Posts };

export const collectionRoutes = {
  listCollections: {
    access: 'session',
    walletBudget: 'list',
    run: async (context, { wallet }) => ({
      data: await describeCollections(context, await context.collections.store.of(wallet), wallet),
    }),
  },
  createCollection: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, body: { name, isPublic } }) => {
      const at = context.posts.store.now();
      const made = await context.collections.store.add({ wallet, name, isPublic, createdAt: at, changedAt: at });
      if (!made) throw new AppError('too_many', `You have ${COLLECTIONS} collections. Delete one to make another.`);
      return json(201, await describeCollection(context, made, wallet));
    },
  },
  getCollection: {
    access: 'visitor',
    addressBudget: 'read',
    run: async (context, { wallet, params, query }) =>
      showCollection(context, await findReadable(context, params.collection, wallet), { ...query, wallet }),
  },
  changeCollection: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, params, body: { name, isPublic } }) => {
      const { _id } = await findOwn(context, params.collection, wallet);
      const given = { ...(name !== undefined && { name }), ...(isPublic !== undefined && { isPublic }) };
      const change = { ...given, changedAt: context.posts.store.now() };
      const changed = await context.collections.store.change(wallet, _id, change);
      if (!changed) throw noSuchCollection();
      return describeCollection(context, changed, wallet);
    },
  },
  dropCollection: {
    access: 'session',
    walletBudget: 'change',
    run: async ({ collections }, { wallet, params }) => {
      if (isObjectId(params.collection)) await collections.store.drop(wallet, new ObjectId(params.collection));
    },
  },
  exportCollection: {
    access: 'visitor',
    run: async (context, { wallet, params, query: { format }, asker }) => {
      const found = await findReadable(context, params.collection, wallet);
      const name = `${PRODUCT_SLUG}-collection-${found._id.toHexString()}.${format}`;
      const kind = found.wallet === wallet ? 'own' : 'list';
      const { config, posts } = context;
      return download(
        { name, type: EXPORT_TYPES[format] },
        () => writeExport(givenOnly(readCollection(context, found), config), format, config.publicUrl.origin),
        { slot: posts.exports.of(kind, asker) },
      );
    },
  },
  addToCollection: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, params }) => {
      const { _id } = await findOwn(context, params.collection, wallet);
      const post = await findLivePost(context.posts.store, params.id);
      const at = context.posts.store.now();
      if (!(await context.collections.store.put(_id, post._id, at))) {
        throw new AppError('too_many', `A collection holds ${COLLECTION_POSTS.toLocaleString('en-US')} posts at most.`);
      }
      await context.collections.store.change(wallet, _id, { changedAt: at });
    },
  },
  dropFromCollection: {
    access: 'session',
    walletBudget: 'change',
    run: async (context, { wallet, params }) => {
      const { _id } = await findOwn(context, params.collection, wallet);
      const post = await context.posts.store.find(params.id);
      if (post) await context.collections.store.take(_id, [post._id]);
      await context.collections.store.change(wallet, _id, { changedAt: context.posts.store.now() });
    },
  },
} satisfies Routes<
  | 'listCollections'
  | 'createCollection'
  | 'getCollection'
  | 'changeCollection'
  | 'dropCollection'
  | 'exportCollection'
  | 'addToCollection'
  | 'dropFromCollection',
  Needs
>;
