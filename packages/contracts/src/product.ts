/** The only definition of the product's name and slug. */
export const PRODUCT_NAME = 'Amber';
export const PRODUCT_SLUG = 'amber';
/** Base path of the calls. */
export const API_BASE = '/amber';

/** The field that names a post in launch and feature calls. */
export const PRODUCT_ID_FIELD = `${PRODUCT_SLUG}Id` as const;
