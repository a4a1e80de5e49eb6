// TrainJobs of Kubeflow Trainer: JobSets have their workers, whose number does not change, and their status
// shows the loss.
#include <gmock/gmock.h>

#include "kube/support/fake_server.h"
#include "kube/support/jobs.h"
#include "kube/targets/targets.h"

namespace slaq::kube::targets {
namespace {

using testing::Eq;
using testing::HasSubstr;
using testing::Optional;

std::string replicated(const std::string& name, int nodes, const std::string& cpu) {
  return "{'name':'" + name + "','replicas':1,'template':{'spec':{'parallelism':" + std::to_string(nodes) +
         ",'completions':" + std::to_string(nodes) +
         ",'template':{'spec':{'containers':[{'name':'node','image':'i','resources':{'requests':{'cpu':'" +
         cpu + "'}}}]}}}}}";
}

class TrainJobTest : public testing::Test {
 protected:
  TrainJobTest() {
    for (auto& each : watched_) {
      each.sink->beginList();
      each.sink->endList("100");
    }
    shows("jobsets",
          "{'metadata':{'namespace':'a','name':'bert','uid':'s','resourceVersion':'7','labels':{"
          "'kueue.x-k8s.io/queue-name':'q'},'ownerReferences':[{'kind':'TrainJob','name':'bert','uid':'t',"
          "'controller':true}]},'spec':{'replicatedJobs':[" +
              replicated("dataset-initializer", 1, "500m") + "," + replicated("node", 4, "2") + "]}}");
    is("");
  }

  void shows(const std::string& plural, const std::string& object) {
    for (auto& each : watched_) {
      if (each.resource.plural == plural) each.sink->upsert(jsonOf(object));
    }
  }

  void is(const std::string& status) {
    shows("trainjobs", "{'metadata':{'namespace':'a','name':'bert','uid':'t','resourceVersion':'" +
                           std::to_string(++version_) + "'},'status':{" + status + "}}");
  }

  // With these metrics, "'name':'loss','value':'0.5'" for example.
  void tells(const std::vector<std::string>& metrics, const std::string& more = "") {
    std::string all;
    for (const auto& each : metrics) all += (all.empty() ? "{" : ",{") + each + "}";
    is("'trainerStatus':{'lastUpdatedTime':'1970-01-01T00:01:40Z'," + more + "'metrics':[" + all + "]}");
  }

  JobView look(const std::string& group = "node") {
    ClusterView view;
    view.jobs.push_back({.job = job_});
    view.jobs[0].job.spec.workers.target =
        TargetRef{"trainer.kubeflow.org/v1alpha1", "TrainJob", "bert", group};
    targets_.describe(view);
    return view.jobs[0];
  }

  LossSample sample() { return look().shownLoss.value_or(ShownLoss{}).sample.value_or(LossSample{}); }

  TrainingJob job_{.key = {"a", "j"}};
  Targets targets_{{*targetKind("TrainJob")}, "cpu"};
  std::vector<Targets::Watched> watched_ = targets_.watched();
  int version_ = 1;
};

TEST_F(TrainJobTest, AreJobSetsOfAnotherGroupThatTheyMake) {
  std::vector<std::string> all;
  for (const auto& each : watched_)
    all.push_back(std::string(each.resource.group) + "/" + std::string(each.resource.plural));
  EXPECT_THAT(
      all, testing::ElementsAre("jobset.x-k8s.io/jobsets", "batch/jobs", "trainer.kubeflow.org/trainjobs"));
}

TEST_F(TrainJobTest, HaveTheSizeThatTheyHave) {
  job_.spec.workers.min = Workers(1);
  job_.spec.workers.max = Workers(2);
  job_.spec.replicas = Workers(3);
  const auto view = look();
  EXPECT_EQ(view.refusal, std::nullopt) << "it is in a queue, and is not resized";
  EXPECT_EQ(view.workers.desired, Workers(4));
  EXPECT_EQ(view.job.spec.workers.min, Workers(4));
  EXPECT_EQ(view.job.spec.workers.max, Workers(4));
  EXPECT_EQ(view.job.spec.replicas, std::nullopt) << "it cannot be pinned to another size";
  EXPECT_EQ(coresOf(view.job.spec.workers.pod), Cores(2000));
  EXPECT_EQ(look("").workers.desired, Workers(4)) << "the group node is meant";
  EXPECT_EQ(look("").job.spec.workers.target->group, "node") << "the queue's pods are found by it";
}

TEST_F(TrainJobTest, AreNeverChanged) {
  job_.spec.workers.target = TargetRef{"trainer.kubeflow.org/v1alpha1", "TrainJob", "bert", "node"};
  FakeServer server;
  client::Api api(server);
  EXPECT_TRUE(targets_.scale(api, job_, Workers(2)));
  EXPECT_THAT(server.takeWrites(), testing::IsEmpty());
}

TEST_F(TrainJobTest, EndAsTheirConditionsSay) {
  EXPECT_FALSE(look().workers.succeeded);
  is("'conditions':[{'type':'Complete','status':'True','message':'done'}]");
  EXPECT_TRUE(look().workers.succeeded);
  is("'conditions':[{'type':'Failed','status':'True','message':'exit code 1'}]");
  EXPECT_THAT(look().workers.failed, Optional(std::string("exit code 1")));
}

TEST_F(TrainJobTest, ShowTheLossThatTheTrainingPosts) {
  EXPECT_EQ(look().shownLoss, std::nullopt) << "the pods may export it";
  tells(
      {"'name':'loss','value':'0.5'", "'name':'global_step','value':'120'", "'name':'epoch','value':'0.5'"});
  EXPECT_EQ(sample(), (LossSample{Time(Seconds(100)), Iterations(120), Loss(0.5)}));
}

TEST_F(TrainJobTest, CountByTheirPercentageWhereTheyTellNoStep) {
  tells({"'name':'loss','value':'0.5'", "'name':'lr','value':'0.1'"}, "'progressPercentage':30,");
  EXPECT_EQ(sample().iteration, Iterations(30));
}

// transformers posts each few seconds, and has a new loss after hundreds of steps.
TEST_F(TrainJobTest, ShowALossAfterTheIterationAtWhichItCame) {
  tells({"'name':'loss','value':'0.5'", "'name':'current_step','value':'500'"});
  EXPECT_EQ(sample().iteration, Iterations(500));
  tells({"'name':'loss','value':'0.5'", "'name':'current_step','value':'620'"});
  EXPECT_EQ(sample().iteration, Iterations(500));
  tells({"'name':'loss','value':'0.4'", "'name':'current_step','value':'1000'"});
  EXPECT_EQ(sample().iteration, Iterations(1000));
  // Its last status has no step.
  tells({"'name':'loss','value':'0.4'", "'name':'train_loss','value':'0.6'", "'name':'epoch','value':'3'"},
        "'progressPercentage':100,");
  EXPECT_EQ(sample().iteration, Iterations(1000));
  EXPECT_EQ(sample().loss, Loss(0.4));
}

TEST_F(TrainJobTest, KeepTheMetricThatWasChosen) {
  tells({"'name':'eval_loss','value':'0.9'", "'name':'step','value':'1'"});
  EXPECT_EQ(sample().loss, Loss(0.9));
  tells({"'name':'loss','value':'0.5'", "'name':'eval_loss','value':'0.7'", "'name':'step','value':'2'"});
  EXPECT_EQ(sample().loss, Loss(0.7));
}

TEST_F(TrainJobTest, ShowALossWhoseStepCameLater) {
  tells({"'name':'loss','value':'0.5'"});
  EXPECT_EQ(look().shownLoss->sample, std::nullopt);
  tells({"'name':'loss','value':'0.5'", "'name':'step','value':'3'"});
  EXPECT_EQ(sample().iteration, Iterations(3));
}

TEST_F(TrainJobTest, KeepWhatWasReadWhenOnlyAHintChanges) {
  tells({"'name':'eval_loss','value':'0.9'", "'name':'step','value':'1'"});
  EXPECT_EQ(sample().iteration, Iterations(1));
  tells({"'name':'loss','value':'0.5'", "'name':'eval_loss','value':'0.9'", "'name':'step','value':'2'"});
  job_.spec.loss.target = 0.1;
  EXPECT_EQ(sample(), (LossSample{Time(Seconds(100)), Iterations(1), Loss(0.9)}));
}

TEST_F(TrainJobTest, ReadAMetricWithTheNameOfACounterIfItIsNamed) {
  job_.spec.loss.metric = "batch_elbo";
  tells({"'name':'batch_elbo','value':'0.9'", "'name':'step','value':'1'"});
  EXPECT_EQ(sample().loss, Loss(0.9));
  tells({"'name':'batch_elbo','value':'0.9'", "'name':'step','value':'2'"});
  EXPECT_EQ(sample().iteration, Iterations(1));
}

TEST_F(TrainJobTest, PreferALossOfTrainingData) {
  tells({"'name':'eval_loss','value':'0.9'", "'name':'loss','value':'0.5'", "'name':'mae','value':'3'",
         "'name':'step','value':'1'"});
  EXPECT_EQ(sample().loss, Loss(0.5));
}

TEST_F(TrainJobTest, ShowTheMetricsThatTheJobNames) {
  tells({"'name':'loss','value':'0.5'", "'name':'accuracy','value':'0.8'", "'name':'Tokens','value':'900'"},
        "'progressPercentage':30,");
  EXPECT_EQ(sample().loss, Loss(0.5));
  job_.spec.loss.mode = LossMode::Maximize;
  EXPECT_EQ(sample().loss, Loss(0.8));
  job_.spec.loss.metric = "loss";
  job_.spec.loss.iterationMetric = "tokens";
  EXPECT_EQ(sample().loss, Loss(0.5));
  EXPECT_EQ(sample().iteration, Iterations(900));
  job_.spec.loss.query = "a query of the user's";
  EXPECT_EQ(look().shownLoss, std::nullopt);
}

TEST_F(TrainJobTest, SayWhatTheirStatusLacks) {
  tells({"'name':'lr','value':'0.1'"}, "'progressPercentage':30,");
  EXPECT_THAT(
      look().shownLoss->problem,
      Optional(std::string("TrainJob a/bert shows lr in status.trainerStatus, and no loss with an iteration; "
                           "spec.loss can name other metrics")));
  tells({"'name':'loss','value':'0.1'"});
  EXPECT_THAT(look().shownLoss->problem, Optional(HasSubstr("and no loss with an iteration")));
  job_.spec.loss.metric = "mae";
  EXPECT_THAT(look().shownLoss->problem,
              Optional(HasSubstr("shows loss in status.trainerStatus, and no mae")));
}

}  // namespace
}  // namespace slaq::kube::targets
