/** The product's name and slug stand here and nowhere else. */
export const PRODUCT_NAME = 'Amber';
export const PRODUCT_SLUG = 'amber';
/** Under which the calls live. */
export const API_BASE = '/amber';

/** The field that names a post in launch and feature calls. */
export const PRODUCT_ID_FIELD = `${PRODUCT_SLUG}Id` as const;
