import { TestRequest } from '#protocol/contract/console/test-request';
import { callApi } from './call-api.ts';

export const sendTestRequest = (): Promise<TestRequest> =>
  callApi('/api/test-request', { method: 'POST', answer: TestRequest });
