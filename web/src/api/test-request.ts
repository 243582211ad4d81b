import { TestRequest } from '../../../src/contract/console/test-request.ts';
import { callApi } from './call-api.ts';

export const sendTestRequest = (): Promise<TestRequest> =>
  callApi('/api/test-request', { method: 'POST', answer: TestRequest });
