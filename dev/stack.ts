import { join } from 'node:path';
import type { ReadyMessage } from './child.ts';
import { timed } from './terminal.ts';
import type { Terminal, Timed } from './terminal.ts';
import { StartError } from './errors.ts';
import { writePrivateFile } from './files.ts';
import { claimPort } from './ports.ts';
import type { RunningPostgres } from './postgres.ts';
import { runCommand, SERVICE_NODE_ARGS } from './processes.ts';
import { migrationEnvironment, processEnvironment, receiverEnvironment, stackSecrets } from './stack-environment.ts';
import { migrationsNote, postgresNote, temporalNote } from './stack-notes.ts';
import { postgresService, processService, temporalService } from './services.ts';
import type { Found, ProcessSpec } from './services.ts';
import { receiverPortFile } from './settings.ts';
import type { Settings } from './settings.ts';
import { Supervisor } from './supervisor.ts';
import type { StartService, SupervisorEvents } from './supervisor.ts';
import type { RunningTemporal } from './temporal.ts';

/** How to enter the demo tenant, as the seed says it. */
export interface DemoAccess {
  email: string;
  password: string;
  api_key: string;
  member_email?: string;
}

/** Where everything is once it runs. */
export interface StackAddresses {
  apiUrl: string;
  temporalUiUrl: string | undefined;
  receiverUrl: string | undefined;
  demo: DemoAccess | undefined;
  cronSecret: string;
  /** Of the embedded database; undefined for one of DATABASE_URL. */
  postgresPort: number | undefined;
}

/** In the order in which they are stopped: each group waits for the one before. */
const STOP_ORDER = ['api', 'workers', 'receiver', 'temporal', 'postgres'] as const;
type ServiceGroup = (typeof STOP_ORDER)[number];

const DRAIN_MS = 35_000;
const RECEIVER_STOP_MS = 3_000;

/** All services of one `npm start`: started with as much side by side as their needs allow, stopped in order. */
export class Stack {
  readonly #settings: Settings;
  readonly #terminal: Terminal;
  readonly #events: SupervisorEvents;
  readonly #services: Record<ServiceGroup, Supervisor[]> = {
    api: [],
    workers: [],
    receiver: [],
    temporal: [],
    postgres: [],
  };
  #stopping: Promise<void> | undefined;

  constructor(settings: Settings, terminal: Terminal, events: SupervisorEvents) {
    this.#settings = settings;
    this.#terminal = terminal;
    this.#events = events;
  }

  async start(): Promise<StackAddresses> {
    const { demo, temporalAddress } = this.#settings;
    const { secrets } = await this.#terminal.step(
      'secrets',
      begin(() => stackSecrets(this.#settings)),
      (made) => made.note,
    );
    const apiPort = await claimPort(this.#settings.apiPort, 'API_PORT', 'the API');
    // Neither needs the database: they start beside it.
    const startingTemporal = begin(() => this.#startTemporal());
    const startingReceiver = begin(() => this.#startReceiver());
    const postgres = await this.#startDatabase();
    const temporal = await this.#terminal.step('Temporal', startingTemporal, (started) =>
      temporalNote(this.#settings, started),
    );
    const address = temporal?.address ?? temporalAddress ?? '';
    const env = processEnvironment(this.#settings, { secrets, postgres, temporalAddress: address, apiPort });
    const starting = {
      platform: begin(() => this.#startWorker('platform', env)),
      documents: begin(() => this.#startWorker('documents', env)),
      api: begin(() => this.#startApi(env)),
    };
    const receiverUrl = demo ? await this.#terminal.step('demo receiver', startingReceiver, (url) => url) : undefined;
    const access = receiverUrl === undefined ? undefined : await this.#seed(receiverUrl, env);
    await this.#terminal.step('worker platform', starting.platform, () => 'events, webhooks, deliveries');
    await this.#terminal.step('worker documents', starting.documents, () => 'Document AI');
    const apiUrl = await this.#terminal.step('API', starting.api, (url) => url);
    return {
      apiUrl,
      temporalUiUrl: temporal?.uiUrl,
      receiverUrl,
      demo: access,
      cronSecret: secrets.CRON_SECRET,
      postgresPort: postgres?.port,
    };
  }

  /** The API first, so that nothing new comes in, and PostgreSQL last, since all the others write to it. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopInOrder();
    return this.#stopping;
  }

  /** At once. PostgreSQL recovers from its log at the next start. */
  kill(): void {
    for (const supervisor of this.#all()) supervisor.kill();
  }

  async #stopInOrder(): Promise<void> {
    for (const group of STOP_ORDER) {
      const results = await Promise.allSettled(this.#services[group].map((supervisor) => supervisor.stop()));
      for (const result of results) if (result.status === 'rejected') this.#terminal.error(result.reason);
    }
  }

  #all(): Supervisor[] {
    return Object.values(this.#services).flat();
  }

  /** The process of each service, which is another one after a restart. */
  pids(): Record<string, number> {
    return Object.fromEntries(this.#all().map((supervisor) => [supervisor.name, supervisor.pid ?? 0]));
  }

  #context(): { settings: Settings; terminal: Terminal } {
    return { settings: this.#settings, terminal: this.#terminal };
  }

  async #launch(group: ServiceGroup, name: string, start: StartService): Promise<void> {
    if (this.#stopping !== undefined) throw new StartError('stopped');
    const supervisor = new Supervisor(name, start, this.#terminal, this.#events);
    this.#services[group].push(supervisor);
    await supervisor.start();
  }

  async #startDatabase(): Promise<RunningPostgres | undefined> {
    const { databaseUrl } = this.#settings;
    const found: Found<RunningPostgres> = {};
    const starting = begin(async () => {
      if (databaseUrl === undefined)
        await this.#launch('postgres', 'PostgreSQL', postgresService(this.#context(), found));
    });
    await this.#terminal.step('PostgreSQL', starting, () => postgresNote(this.#settings, found.value));
    const env = migrationEnvironment(this.#settings, found.value);
    const migrating = begin(() => this.#script('migrations', 'platform/db/migrate.ts', env));
    await this.#terminal.step('migrations', migrating, (output) => migrationsNote(output));
    return found.value;
  }

  async #startTemporal(): Promise<RunningTemporal | undefined> {
    if (this.#settings.temporalAddress !== undefined) return undefined;
    const found: Found<RunningTemporal> = {};
    await this.#launch('temporal', 'Temporal', temporalService(this.#context(), found));
    return found.value;
  }

  async #startReceiver(): Promise<string> {
    const { demo, varDir } = this.#settings;
    if (!demo) return '';
    const spec: ProcessSpec = {
      name: 'receiver',
      script: 'dev/demo-receiver.ts',
      env: receiverEnvironment(this.#settings),
      stopMs: RECEIVER_STOP_MS,
      showOutput: true,
    };
    const found: Found<ReadyMessage> = {};
    await this.#launch('receiver', 'demo receiver', processService(this.#context(), spec, found));
    const url = urlOf(found);
    writePrivateFile(receiverPortFile(varDir), new URL(url).port);
    return url;
  }

  async #startWorker(queue: string, env: NodeJS.ProcessEnv): Promise<void> {
    const spec: ProcessSpec = {
      name: `worker-${queue}`,
      script: 'worker/main.ts',
      args: ['--queue', queue],
      nodeArgs: queue === 'platform' ? SERVICE_NODE_ARGS : [],
      env,
      stopMs: DRAIN_MS,
    };
    await this.#launch('workers', `worker ${queue}`, processService(this.#context(), spec, {}));
  }

  async #startApi(env: NodeJS.ProcessEnv): Promise<string> {
    const spec: ProcessSpec = {
      name: 'api',
      script: 'api/server.ts',
      nodeArgs: SERVICE_NODE_ARGS,
      env,
      stopMs: DRAIN_MS,
    };
    const found: Found<ReadyMessage> = {};
    await this.#launch('api', 'API', processService(this.#context(), spec, found));
    return urlOf(found);
  }

  async #seed(receiverUrl: string, env: NodeJS.ProcessEnv): Promise<DemoAccess> {
    const seeding = begin(() => this.#script('seed', 'dev/seed.ts', { ...env, DEMO_RECEIVER_URL: receiverUrl }));
    const output = await this.#terminal.step(
      'demo tenant',
      seeding,
      () => 'people, contacts, work items, a webhook, an API key',
    );
    const line = output.trim().split('\n').at(-1) ?? '';
    try {
      return JSON.parse(line) as DemoAccess;
    } catch {
      throw new StartError(`The seed (dev/seed.ts) did not end with a line of JSON: ${line.slice(0, 200)}`);
    }
  }

  async #script(name: string, script: string, env: NodeJS.ProcessEnv): Promise<string> {
    const { root } = this.#settings;
    const { code, stdout, stderr } = await runCommand(process.execPath, [join(root, script)], { env, cwd: root });
    if (code === 0) return stdout;
    const said = (stderr === '' ? stdout : stderr).trim().split('\n').slice(-12).join('\n');
    throw new StartError(`${name} (${script}) failed:\n${said}`);
  }
}

/** Starts the work now. Its failure is heard where it is awaited, also when that comes later. */
function begin<T>(work: () => T | Promise<T>): Promise<Timed<T>> {
  const started = timed(work);
  started.catch(() => undefined);
  return started;
}

function urlOf(found: Found<ReadyMessage>): string {
  const url = found.value?.['url'];
  if (typeof url !== 'string') throw new StartError('a process said that it is ready without its address');
  return url;
}
