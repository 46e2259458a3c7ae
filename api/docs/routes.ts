import express, { Router } from 'express';
import type { Request, Response } from 'express';
// The package's index would run the whole page bundle in this process.
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { ApiError } from '../../domain/contracts/errors.ts';
import { openApiDocument } from '../adapters/openapi.ts';
import { methodNotAllowed } from '../http/method-not-allowed.ts';
import { contextOf } from '../http/request-context.ts';
import { sendSharedJson } from '../http/shared-json.ts';
import type { SharedJson } from '../http/shared-json.ts';
import { docsLibrary } from './library.ts';
import type { DocsLibrary } from './library.ts';
import { HOME } from './pages.ts';
import { REFERENCE_PAGE, REFERENCE_POLICY, REFERENCE_SCRIPT } from './reference.ts';

/** The pages are text, a style sheet of ours and a search form: no script at all, nothing inline, nothing from elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";
/** The template under which metrics and log lines count every page. */
const PAGE_ROUTE = '/docs/{page}';
const PAGES = ['/docs', '/docs/', '/docs/*page'];
const CACHED = 'public, max-age=60';
const KEPT = 'public, max-age=31536000, immutable';

/** `/openapi.json`, the documentation below `/docs` and the reference page `/docs/reference`, all served from here. */
export function docsRouter(publicUrl: string): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const library = () => docsLibrary(publicUrl);
  let description: SharedJson | undefined;

  router.use('/docs', (req, _res, next) => {
    contextOf(req).route = PAGE_ROUTE;
    next();
  });
  router.get('/', (_req, res) => {
    res.redirect(302, HOME);
  });
  router.get('/openapi.json', (req, res) => {
    contextOf(req).route = '/openapi.json';
    description ??= { before: '', shared: JSON.stringify(openApiDocument(publicUrl)), after: '' };
    res.set('Cache-Control', CACHED);
    sendSharedJson(res, description);
  });
  router.use('/docs/assets', express.static(swaggerUiFolder(), { index: false, maxAge: '1d', immutable: true }));
  router.get('/docs/reference', (_req, res) => {
    sendPage(res, REFERENCE_PAGE, REFERENCE_POLICY);
  });
  router.get('/docs/reference.js', (_req, res) => {
    res.set('Cache-Control', CACHED).type('js').send(REFERENCE_SCRIPT);
  });
  router.get('/docs/style.css', (req, res) => {
    const { html, etag } = library().style;
    const cacheControl = req.query['v'] === library().styleVersion ? KEPT : CACHED;
    res.set({ ETag: etag, 'Cache-Control': cacheControl }).type('css').send(html);
  });
  router.get('/docs/search', (req, res) => {
    const { q } = req.query;
    sendPage(res, library().searchPage(typeof q === 'string' ? q : ''), PAGE_POLICY);
  });
  router.get(['/docs/guides', '/docs/guides/'], (_req, res) => {
    res.redirect(302, HOME);
  });
  router.get(PAGES, (req, res) => {
    const path = req.path.replace(/\/+$/, '');
    const page = library().page(path);
    if (page === undefined) {
      answerMissing(library(), req, res);
      return;
    }
    if (path !== req.path) {
      res.redirect(301, path);
      return;
    }
    res.set({ ETag: page.etag, 'Cache-Control': CACHED });
    sendPage(res, page.html, PAGE_POLICY);
  });
  router.all([...PAGES, '/openapi.json'], methodNotAllowed(PAGE_ROUTE, 'GET, HEAD, OPTIONS'));
  return router;
}

/** A page for who asks for HTML, as browsers do; the envelope for everyone else. */
function answerMissing(library: DocsLibrary, req: Request, res: Response): void {
  res.vary('Accept');
  // Without a preference the first one counts.
  if (req.accepts(['json', 'html']) !== 'html') throw ApiError.notFound('page', req.path.slice(0, 200));
  res.status(404);
  sendPage(res, library.missingPage(req.path), PAGE_POLICY);
}

function sendPage(res: Response, html: string, policy: string): void {
  res.set('Content-Security-Policy', policy).type('html').send(html);
}
