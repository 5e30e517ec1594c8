/* global SwaggerUIBundle */
// Trusted types stay on; the renderer writes markup of its own and cleans what it shows of the description.
window.trustedTypes?.createPolicy('default', { createHTML: (text) => text });

// The renderer's dark colours hang on a class.
const dark = matchMedia('(prefers-color-scheme: dark)');
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', applyTheme);
applyTheme();

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // Keys and sessions have no place on this page.
  supportedSubmitMethods: [],
  syntaxHighlight: false,
  validatorUrl: null,
});
