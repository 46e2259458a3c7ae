import express, { Router } from 'express';
// The package's index would run the whole page bundle in this process.
import swaggerUiFolder from 'swagger-ui-dist/absolute-path.js';
import { ApiError } from '../../domain/contracts/errors.ts';
import { openApiDocument } from '../adapters/openapi.ts';
import { errorPage } from './error-pages.ts';

/** Swagger UI brings inline styles; its scripts are files of ours and of the package, so no inline script is allowed. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Business Platform API reference</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="icon" href="data:,">
</head>
<body>
  <div id="reference"><noscript>The reference page needs JavaScript; the same content is at <a href="/openapi.json">/openapi.json</a>.</noscript></div>
  <script src="/docs/assets/swagger-ui-bundle.js"></script>
  <script src="/docs/reference.js"></script>
</body>
</html>
`;

const SCRIPT = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  filter: true,
  persistAuthorization: false,
  presets: [SwaggerUIBundle.presets.apis],
});
`;

/** `/openapi.json` and the reference page `/docs`, all assets served from here. */
export function docsRouter(publicUrl: string): Router {
  const router = Router();
  router.get('/openapi.json', (_req, res) => {
    res.set('Cache-Control', 'public, max-age=60').json(openApiDocument(publicUrl));
  });
  router.get('/docs', (_req, res) => {
    res.set('Content-Security-Policy', CONTENT_SECURITY_POLICY).type('html').send(PAGE);
  });
  router.get('/docs/reference.js', (_req, res) => {
    res.type('js').send(SCRIPT);
  });
  router.get('/docs/errors/:code', (req, res) => {
    const page = errorPage(req.params.code);
    if (page === undefined) throw ApiError.notFound('error code', req.params.code.slice(0, 50));
    res.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'").type('html').send(page);
  });
  router.use('/docs/assets', express.static(swaggerUiFolder(), { index: false, maxAge: '1d', immutable: true }));
  router.get('/', (_req, res) => {
    res.redirect(302, '/docs');
  });
  return router;
}
