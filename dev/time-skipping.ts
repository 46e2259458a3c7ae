import type { TestWorkflowEnvironment as Environment } from '@temporalio/testing';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './errors.ts';
import { runCommand } from './processes.ts';
import { downloadThroughSdk, sdkProgramPath } from './sdk-download.ts';
import type { Fetched, Progress } from './sdk-download.ts';
import { cacheFolder, findOnPath } from './temporal-cli.ts';

/** The Java artifact that the SDK's download is a native build of. */
const TEST_SERVER_VERSION = '1.38.0';
const MAVEN_TIMEOUT_MS = 5 * 60_000;

const MAX_STARTS = 5;

/** A small heap and the quick compiler: the server lives for seconds. */
const JAVA_FLAGS = '-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1';

/**
 * A Temporal environment in which timers fire as soon as nothing else is left to do. Its server comes from the cache,
 * else from the SDK's download, else (where that host can't be reached) from Maven, run by the machine's Java.
 */
export async function createTimeSkippingEnvironment(
  report: Progress = writeLine,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Environment> {
  const path = await findTestServer(report, env);
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  for (let starts = 1; ; starts += 1) {
    try {
      return await TestWorkflowEnvironment.createTimeSkipping({
        server: { executable: { type: 'existing-path', path } },
      });
    } catch (error) {
      // The SDK waits five seconds, which a busy machine may need for Java alone.
      if (starts === MAX_STARTS || !(error as Error).message.includes('did not start within')) throw error;
      report(`Temporal's test server was not ready in time; starting it again (${String(starts + 1)})`);
    }
  }
}

/** Path of an executable that takes the port as its argument. */
export async function findTestServer(report: Progress, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const cache = cacheFolder(env);
  const cached = [sdkProgramPath('test-server', cache), javaServerPath(cache)].find((path) => existsSync(path));
  if (cached !== undefined) return cached;
  mkdirSync(cache, { recursive: true });
  const downloaded = await downloadThroughSdk('test-server', cache, report);
  if ('path' in downloaded) return downloaded.path;
  const fetched = await fetchThroughMaven(cache, report, env);
  if ('path' in fetched) return fetched.path;
  throw new StartError(
    `Temporal's time-skipping test server could not be fetched (${downloaded.failure}; ${fetched.failure}). ` +
      'Tests that skip time need either access to https://temporal.download/, or Java 11 or later and Maven.',
  );
}

function javaServerPath(cache: string): string {
  return join(cache, `temporal-test-server-java-${TEST_SERVER_VERSION}`, 'run');
}

async function fetchThroughMaven(cache: string, report: Progress, env: NodeJS.ProcessEnv): Promise<Fetched> {
  const [java, maven] = [findOnPath('java', env), findOnPath('mvn', env)];
  if (java === undefined || maven === undefined) return { failure: 'Java and Maven are not both installed' };
  report(`fetching Temporal's test server ${TEST_SERVER_VERSION} (once) from Maven Central`);
  const draft = mkdtempSync(join(cache, 'maven-'));
  try {
    writeFileSync(join(draft, 'pom.xml'), PROJECT);
    const args = [
      '-q',
      '-B',
      '-f',
      join(draft, 'pom.xml'),
      'dependency:copy-dependencies',
      `-DoutputDirectory=${join(draft, 'lib')}`,
    ];
    const { code, stdout, stderr } = await runCommand(maven, args, { timeoutMs: MAVEN_TIMEOUT_MS });
    if (code !== 0) return { failure: `Maven failed: ${`${stdout}${stderr}`.trim().slice(0, 300)}` };
    const path = javaServerPath(cache);
    writeFileSync(join(draft, 'run'), startScript(java), { mode: 0o755 });
    return keep(draft, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Moves the folder to its place; another process that was quicker has put the same there. */
function keep(draft: string, path: string): Fetched {
  try {
    renameSync(draft, join(path, '..'));
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  return { path };
}

/** `exec`, so that the SDK's kill reaches the server itself and no orphan stays. */
function startScript(java: string): string {
  return [
    '#!/bin/sh',
    'here=$(dirname "$0")',
    `exec "${java}" ${JAVA_FLAGS} -cp "$here/lib/*" io.temporal.testserver.TestServer "$@"`,
    '',
  ].join('\n');
}

const PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>test-server</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${TEST_SERVER_VERSION}</version>
    </dependency>
  </dependencies>
</project>
`;

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
