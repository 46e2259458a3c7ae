import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3';

/** Makes the bucket of S3_BUCKET unless it is there. Run once, before the API and the documents workers. */
const { S3_BUCKET, S3_REGION, S3_ENDPOINT, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env;
if (S3_BUCKET === undefined || S3_ACCESS_KEY_ID === undefined || S3_SECRET_ACCESS_KEY === undefined) {
  process.stderr.write('S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed.\n');
  process.exit(1);
}
const client = new S3Client({
  region: S3_REGION ?? 'us-east-1',
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
  ...(S3_ENDPOINT === undefined ? {} : { endpoint: S3_ENDPOINT, forcePathStyle: true }),
});
const Bucket = S3_BUCKET;
try {
  await client.send(new HeadBucketCommand({ Bucket }));
  process.stdout.write(`bucket ${Bucket} is there\n`);
} catch (error) {
  const status = error.$metadata?.httpStatusCode;
  if (status !== 404) throw error;
  await client.send(new CreateBucketCommand({ Bucket }));
  process.stdout.write(`bucket ${Bucket} made\n`);
}
