"""Runs one task of Airflow's SparkKubernetesOperator against an API server.

The operator and its launcher are Airflow's own. Made up are the task instance, for which Airflow would need a database, and
the pauses between two looks. Logs are not read, because no kubelet runs.

    task.py KUBECONFIG NAMESPACE MANIFEST

It ends as the task does: 0, or 1 with the exception.
"""

import sys
import time
import types

import yaml
from airflow.providers.cncf.kubernetes.operators import custom_object_launcher
from airflow.providers.cncf.kubernetes.operators.spark_kubernetes import SparkKubernetesOperator
from kubernetes import client, config

PAUSE = 0.3


def main(kubeconfig, namespace, manifest):
    config.load_kube_config(kubeconfig)
    custom_object_launcher.time = types.SimpleNamespace(sleep=lambda seconds: time.sleep(PAUSE))
    with open(manifest) as file:
        spark = yaml.safe_load(file)
    operator = SparkKubernetesOperator(
        task_id="etl",
        namespace=namespace,
        template_spec={"spark": spark},
        random_name_suffix=False,
        get_logs=False,
        startup_check_interval_seconds=PAUSE,
        base_container_status_polling_interval=PAUSE,
    )
    operator.client = client.CoreV1Api()  # the hook's would come from a connection in Airflow's database
    instance = types.SimpleNamespace(
        dag_id="dag", task_id="etl", map_index=-1, try_number=1, xcom_push=lambda **pushed: None
    )
    context = {"ti": instance, "task_instance": instance, "run_id": "run", "dag": types.SimpleNamespace()}
    # Not the decorated one: it wants to be called by a running task.
    execute = getattr(SparkKubernetesOperator.execute, "__wrapped__", SparkKubernetesOperator.execute)
    execute(operator, context)


main(*sys.argv[1:])
